/**
 * Every error code with its HTTP status and title (api.md, Errors). The docs page `/docs/errors`, the OpenAPI document and the
 * problem handler are all made from this one table. `about` says when it happens; `resolution` is the default hint.
 */
export const ERRORS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    about: 'Body, query or path does not fit its schema.',
    resolution: 'Correct the field that the detail names.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    about: 'No credentials, or bad, expired or revoked ones.',
    resolution: 'Sign in at POST /api/login, or send a bearer token made with "gamekeeper token create".',
  },
  totp_required: {
    status: 401,
    title: 'Second factor required',
    about: 'This user signs in with a one-time code as well.',
    resolution: 'Send the code of your authenticator app as "totp".',
  },
  totp_invalid: {
    status: 401,
    title: 'Second factor wrong',
    about: 'The one-time code is wrong or was used already.',
    resolution: 'Wait for the next code of your authenticator app and try again.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Not allowed',
    about: 'The credentials are valid but lack the scope or role.',
    resolution: 'Use a credential that has the scope named in the detail.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin or host not allowed',
    about: "Origin or Host is neither the daemon's own nor allow-listed.",
    resolution:
      "Use the daemon's own address, or add the host to remoteControl.allowedHosts or the origin to remoteControl.allowedOrigins in the settings.",
  },
  password_change_required: {
    status: 403,
    title: 'Choose a password first',
    about: 'Signed in with a generated one-time password.',
    resolution: 'Set your own password at PUT /api/password.',
  },
  instance_not_found: {
    status: 404,
    title: 'Instance not found',
    about: 'No instance has this id.',
    resolution: 'List the instances at GET /instances and use one of their ids.',
  },
  backup_not_found: {
    status: 404,
    title: 'Backup not found',
    about: 'The instance has no backup with this id.',
    resolution: 'List the backups at GET /instances/{id}/backups.',
  },
  store_not_found: {
    status: 404,
    title: 'Store not found',
    about: 'No store in backups.stores of the settings has this name.',
    resolution: 'Use one of the names in backups.stores of the settings.',
  },
  player_not_found: {
    status: 404,
    title: 'Player not found',
    about: 'No such player is on the server.',
    resolution: 'List the players at GET /instances/{id}/players.',
  },
  token_not_found: {
    status: 404,
    title: 'Token not found',
    about: 'No token has this id.',
    resolution: 'List the tokens at GET /api/tokens.',
  },
  user_not_found: {
    status: 404,
    title: 'User not found',
    about: 'No user has this name.',
    resolution: 'List the users at GET /api/users.',
  },
  job_not_found: {
    status: 404,
    title: 'Job not found',
    about: 'No job has this id, or it ended long ago.',
    resolution: 'List the jobs at GET /jobs.',
  },
  route_not_found: {
    status: 404,
    title: 'No such address',
    about: 'Nothing is served at this path on this port.',
    resolution: 'See /docs for the addresses that exist.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    about: 'The path exists, but not with this method.',
    resolution: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request not complete in time',
    about: 'Headers or body did not arrive completely in time.',
    resolution: 'Send the whole request at once; try again on a better line.',
  },
  version_not_found: {
    status: 404,
    title: 'Version not found',
    about: "The software's vendor has no such version, or no server of it.",
    resolution: 'Choose one of the versions at GET /software/{kind}/versions.',
  },
  software_not_found: {
    status: 404,
    title: 'Software not found',
    about: 'There is no kind of software with this name, or it has no vendor that lists versions.',
    resolution: 'List the kinds at GET /software.',
  },
  runtime_not_found: {
    status: 404,
    title: 'Runtime not found',
    about: 'This version of Java is not installed.',
    resolution: 'List the runtimes at GET /runtimes.',
  },
  mod_not_found: {
    status: 404,
    title: 'Mod not found',
    about: 'Modrinth has no such project, or the instance has no such mod or plugin.',
    resolution: 'Search at GET /instances/{id}/mods/search; GET /instances/{id}/mods lists what is installed.',
  },
  mods_unsupported: {
    status: 409,
    title: 'No mods here',
    about: 'The software of the instance has neither mods nor plugins.',
    resolution: 'Use an instance of Paper, Fabric or another kind that has them.',
  },
  mod_conflict: {
    status: 409,
    title: 'Mods do not fit together',
    about:
      'A mod or plugin does not work with another one, needs one that cannot be had, or is needed by one that is installed. Nothing was changed.',
    resolution: 'Remove or update the mods that the detail names.',
  },
  runtime_in_use: {
    status: 409,
    title: 'Runtime in use',
    about: 'An instance is for this version of Java, runs on it, or is being installed.',
    resolution:
      'Look at GET /runtimes for whom it is; let them use another javaVersion and start them again, or delete them.',
  },
  invalid_state: {
    status: 409,
    title: 'Not possible in this state',
    about: 'The instance is not in a state that allows this.',
    resolution: "Look at the instance's status and try again when it fits.",
  },
  backup_in_progress: {
    status: 409,
    title: 'A backup is running',
    about: 'The instance is being backed up.',
    resolution: 'Wait until the backup is done.',
  },
  port_in_use: {
    status: 409,
    title: 'Port in use',
    about: 'Another program or instance holds the port.',
    resolution: 'Stop the other program or give the instance another port.',
  },
  eula_not_accepted: {
    status: 409,
    title: 'EULA not accepted',
    about: "The software's licence has not been accepted.",
    resolution: 'Read the EULA and set acceptEula to true for the instance.',
  },
  instance_exists: {
    status: 409,
    title: 'Instance exists',
    about: 'Another instance has this id or folder.',
    resolution: 'Choose another id or folder.',
  },
  user_exists: {
    status: 409,
    title: 'User exists',
    about: 'Another user has this name, perhaps in other case.',
    resolution: 'Choose another name.',
  },
  last_administrator: {
    status: 409,
    title: 'The last administrator',
    about: 'Nobody would be left who may administer this Gamekeeper.',
    resolution: 'Make another user an administrator first.',
  },
  own_account: {
    status: 409,
    title: 'Your own account',
    about: 'Nobody removes, disables or demotes the user they are signed in as.',
    resolution: 'Let another administrator do it.',
  },
  already_in_progress: {
    status: 409,
    title: 'Already in progress',
    about: 'The same work is under way.',
    resolution: 'Wait until it is done.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed meanwhile',
    about: "If-Match does not match the resource's ETag.",
    resolution: 'Read the resource again and repeat your change.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    about: "The request's body is over the limit.",
    resolution: 'Send at most 1 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    about: 'The body is not JSON.',
    resolution: 'Send JSON with content-type application/json.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    about: 'The requested byte range starts beyond the end of the file.',
    resolution: 'Ask for a range within the size that Content-Range names, or for the whole file.',
  },
  command_rejected: {
    status: 422,
    title: 'Command rejected',
    about: 'The game server answered that the command failed.',
    resolution: "See the server's answer in the detail.",
  },
  backup_damaged: {
    status: 422,
    title: 'Backup damaged',
    about: 'Hash, checksum or structure of the archive is wrong; live files were not touched.',
    resolution: 'Use another backup.',
  },
  decryption_failed: {
    status: 422,
    title: 'Cannot decrypt',
    about: 'A copy of a backup was encrypted with another key or passphrase than the settings have.',
    resolution: 'Set backups.encryption to the private key or passphrase that was in use when the copy was made.',
  },
  launch_failed: {
    status: 422,
    title: 'Could not start',
    about: "The server's program could not be started.",
    resolution: 'Check the launch command and that the program exists and may be executed.',
  },
  installation_failed: {
    status: 422,
    title: 'Could not install',
    about: 'What was downloaded could not be installed: its installer failed, or it does not run on this machine.',
    resolution: 'See the console for what the installer said; try again, or choose another version.',
  },
  store_refused: {
    status: 422,
    title: 'Store refused',
    about:
      'A store for copies of backups cannot be used as it is set up: credentials, host key, bucket, folder or rights are wrong.',
    resolution: 'Correct the store in backups.stores of the settings, then POST /api/stores/{name}/test.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    about: 'Over the rate limit, or too many failed sign-ins.',
    resolution: 'Wait as long as Retry-After says.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    about: 'Request line and headers are over the limit together.',
    resolution: 'Send at most 16 KiB of them; a long text belongs into the body.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    about: 'Something of ours failed.',
    resolution: 'Try again; if it stays, look for the request id in the logs folder.',
  },
  rcon_unavailable: {
    status: 502,
    title: 'Game server did not answer',
    about: 'The game server did not answer over RCON or console in time.',
    resolution: 'Check that the server is up and that its RCON settings are right.',
  },
  store_unavailable: {
    status: 502,
    title: 'Store unavailable',
    about: 'A store for copies of backups does not answer, broke off, or did not keep what it was sent.',
    resolution:
      'Check that the store is up and can be reached from this machine; copies are tried again by themselves.',
  },
  vendor_unavailable: {
    status: 502,
    title: 'Vendor unavailable',
    about: 'Whoever provides software or Java does not answer, or sent something else than what was announced.',
    resolution: "Check this machine's internet connection and try again, or set a mirror in vendors of the settings.",
  },
  worker_unavailable: {
    status: 503,
    title: 'Worker unavailable',
    about: "The instance's supervisor or the jobs process does not answer.",
    resolution: 'Try again in a moment.',
  },
  daemon_unavailable: {
    status: 503,
    title: 'Daemon unavailable',
    about: 'The daemon does not answer.',
    resolution: 'Try again in a moment; if it stays, start Gamekeeper again.',
  },
  proxy_unavailable: {
    status: 503,
    title: 'Proxy unavailable',
    about: 'The keys of the hosted proxy, without which its tokens cannot be checked, cannot be fetched.',
    resolution: 'Try again in a moment; if it stays, look whether this machine reaches the proxy.',
  },
  shutting_down: {
    status: 503,
    title: 'Shutting down',
    about: 'Gamekeeper is shutting down.',
    resolution: 'Try again after it has been started.',
  },
  insufficient_storage: {
    status: 507,
    title: 'Disk full',
    about: 'What is to be written would not fit.',
    resolution: 'Free disk space, or set another backups.directory.',
  },
} as const satisfies Record<string, { status: number; title: string; about: string; resolution: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** True when `code` is one of ours; a peer of another version may send one that is not. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
