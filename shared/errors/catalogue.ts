/**
 * Every error code. `/docs/errors`, the OpenAPI document and error responses are generated from this table. `about`: what happened;
 * `resolution`: what to do, unless the error itself has a better hint.
 */
export const ERRORS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    about: 'The body, query or path is not valid.',
    resolution: 'Correct the field named in the detail.',
  },
  invalid_path: {
    status: 400,
    title: 'Invalid path',
    about: 'The path is not that of a file or folder of the server, or leads through a link.',
    resolution: 'Use a path inside the folder of the server, with "/", as GET /instances/{id}/files lists them.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    about: 'The request has no credentials, or they are wrong, expired or revoked.',
    resolution: 'Sign in at POST /api/login, or send a bearer token made with "gamekeeper token create".',
  },
  totp_required: {
    status: 401,
    title: 'Second factor required',
    about: 'This user has a second factor, and the request has no code.',
    resolution: 'Send the code from your authenticator app as "totp".',
  },
  totp_invalid: {
    status: 401,
    title: 'Second factor wrong',
    about: 'The one-time code is wrong or was already used.',
    resolution: 'Wait for the next code in your authenticator app, then try again.',
  },
  daemon_unknown: {
    status: 401,
    title: 'Daemon not linked',
    about: 'The daemon is not linked to an account of this proxy, or was removed from it.',
    resolution: 'Link this daemon again with "gamekeeper link".',
  },
  insufficient_scope: {
    status: 403,
    title: 'Not allowed',
    about: 'The credentials are valid, but lack the required scope or role.',
    resolution: 'Use credentials with the scope or role named in the detail.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin or host not allowed',
    about: 'The Origin or Host header names neither this daemon nor an allowed address.',
    resolution:
      "Use the daemon's own address, or add the host to remoteControl.allowedHosts or the origin to remoteControl.allowedOrigins in the settings.",
  },
  password_change_required: {
    status: 403,
    title: 'Choose a password first',
    about: 'You signed in with a generated password.',
    resolution: 'Set your own password with PUT /api/password.',
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
  file_not_found: {
    status: 404,
    title: 'File not found',
    about: 'The server has no file or folder at this path.',
    resolution: 'List the files at GET /instances/{id}/files.',
  },
  store_not_found: {
    status: 404,
    title: 'Store not found',
    about: 'backups.stores in the settings has no store with this name.',
    resolution: 'Use a name from backups.stores in the settings.',
  },
  player_not_found: {
    status: 404,
    title: 'Player not found',
    about: 'No player with this name is on the server.',
    resolution: 'List the players at GET /instances/{id}/players.',
  },
  ssh_key_not_found: {
    status: 404,
    title: 'SSH key not found',
    about: 'The user has no SSH key with this id.',
    resolution: 'List the keys at GET /api/ssh-keys.',
  },
  token_not_found: {
    status: 404,
    title: 'Token not found',
    about: 'No token has this id.',
    resolution: 'List the tokens at GET /api/tokens.',
  },
  not_linked: {
    status: 404,
    title: 'Not linked',
    about: 'This daemon is not linked to a hosted proxy, or no request to link it is waiting.',
    resolution:
      'Link it on the page "Remote access" of the panel, with "gamekeeper link <address>", or with POST /api/link.',
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
    about: 'No job has this id, or it ended too long ago.',
    resolution: 'List the jobs at GET /jobs.',
  },
  route_not_found: {
    status: 404,
    title: 'No such address',
    about: 'Nothing is served at this path on this port.',
    resolution: 'See /docs for all addresses.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    about: 'The path does not support this method.',
    resolution: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request not complete in time',
    about: 'The headers or the body did not arrive in time.',
    resolution: 'Send the whole request at once, or try again on a faster connection.',
  },
  version_not_found: {
    status: 404,
    title: 'Version not found',
    about: 'The vendor has no such version, or no server for it.',
    resolution: 'Choose a version from GET /software/{kind}/versions.',
  },
  software_not_found: {
    status: 404,
    title: 'Software not found',
    about: 'No software has this name, or its versions are not listed by a vendor.',
    resolution: 'List the software at GET /software.',
  },
  runtime_not_found: {
    status: 404,
    title: 'Runtime not found',
    about: 'This Java version is not installed.',
    resolution: 'List the runtimes at GET /runtimes.',
  },
  mod_not_found: {
    status: 404,
    title: 'Mod not found',
    about: 'Modrinth has no such project, or the instance has no such mod or plugin.',
    resolution:
      'Search with GET /instances/{id}/mods/search, or list the installed ones with GET /instances/{id}/mods.',
  },
  mods_unsupported: {
    status: 409,
    title: 'No mods here',
    about: "The instance's software supports neither mods nor plugins.",
    resolution: 'Use an instance of Paper, Fabric or other software that supports them.',
  },
  mod_conflict: {
    status: 409,
    title: 'Mods do not fit together',
    about:
      'A mod or plugin is incompatible with another one, needs one that is not available, or is needed by one that is installed. Nothing was changed.',
    resolution: 'Remove or update the mods that the detail names.',
  },
  software_exists: {
    status: 409,
    title: 'Kind exists',
    about: 'Another kind has this name, or its file is in the way.',
    resolution: 'Change "kind" in the file to another name, or remove the other kind first.',
  },
  software_in_use: {
    status: 409,
    title: 'Kind in use',
    about: 'Servers or other kinds need this kind.',
    resolution: 'Delete these servers, or change their software, first.',
  },
  runtime_in_use: {
    status: 409,
    title: 'Runtime in use',
    about: 'An instance uses this Java version, or is being installed with it.',
    resolution:
      'GET /runtimes lists the instances that use it. Give them another javaVersion and restart them, or delete them.',
  },
  invalid_state: {
    status: 409,
    title: 'Not possible in this state',
    about: 'The instance is not in a state that allows this.',
    resolution: 'Check the status of the instance, then try again.',
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
    about: 'Another program or instance uses the port.',
    resolution: 'Stop the other program, or give the server another port.',
  },
  eula_not_accepted: {
    status: 409,
    title: 'EULA not accepted',
    about: "The software's licence has not been accepted.",
    resolution: 'Read the EULA, then set acceptEula to true for the instance.',
  },
  instance_exists: {
    status: 409,
    title: 'Instance exists',
    about: 'Another instance has this id or folder.',
    resolution: 'Choose another id or folder.',
  },
  file_exists: {
    status: 409,
    title: 'File exists',
    about: 'There is a file or folder at this path already.',
    resolution: 'Choose another path, or delete what is there first.',
  },
  daemon_taken: {
    status: 409,
    title: 'Linked to another account',
    about: 'The daemon is linked to another account of this proxy.',
    resolution: 'Remove it in the other account, or run "gamekeeper unlink" on its computer, then link it again.',
  },
  user_exists: {
    status: 409,
    title: 'User exists',
    about: 'Another user has this name. Upper and lower case do not matter.',
    resolution: 'Choose another name.',
  },
  last_administrator: {
    status: 409,
    title: 'The last administrator',
    about: 'No administrator would be left.',
    resolution: 'Make another user an administrator first.',
  },
  own_account: {
    status: 409,
    title: 'Your own account',
    about: 'You cannot remove, disable or demote the user you are signed in as.',
    resolution: 'Ask another administrator to do it.',
  },
  already_in_progress: {
    status: 409,
    title: 'Already in progress',
    about: 'The same work is already running.',
    resolution: 'Wait until it is done.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed meanwhile',
    about: 'The resource has changed: If-Match does not match its ETag.',
    resolution: 'Read the resource again, then repeat your change.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    about: 'The body of the request is over the limit.',
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
    about: 'The requested range starts beyond the end of the file.',
    resolution: 'Request a range within the size in Content-Range, or the whole file.',
  },
  command_rejected: {
    status: 422,
    title: 'Command rejected',
    about: 'The game server reported that the command failed.',
    resolution: "See the server's answer in the detail.",
  },
  backup_damaged: {
    status: 422,
    title: 'Backup damaged',
    about: 'The hash, a checksum or the structure of the archive is wrong. Live files were not touched.',
    resolution: 'Use another backup.',
  },
  decryption_failed: {
    status: 422,
    title: 'Cannot decrypt',
    about: 'The copy of the backup was encrypted with another key or passphrase than the one in the settings.',
    resolution: 'Set backups.encryption to the private key or passphrase that was in use when the copy was made.',
  },
  launch_failed: {
    status: 422,
    title: 'Could not start',
    about: "The server's program could not be started.",
    resolution: 'Check the launch command, and that the program exists and is executable.',
  },
  installation_failed: {
    status: 422,
    title: 'Could not install',
    about: 'The download could not be installed: its installer failed, or it does not run on this machine.',
    resolution: 'See the console for the output of the installer. Try again, or choose another version.',
  },
  store_refused: {
    status: 422,
    title: 'Store refused',
    about:
      'The store for copies of backups cannot be used: credentials, host key, bucket, folder or permissions are wrong.',
    resolution: 'Correct the store in backups.stores of the settings, then test it with POST /api/stores/{name}/test.',
  },
  proxy_refused: {
    status: 422,
    title: 'Proxy refused',
    about: 'The address is not that of a hosted proxy, or the proxy did not accept this daemon.',
    resolution: 'Check the address, or ask whoever runs the proxy.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    about: 'Too many requests, or too many failed sign-ins.',
    resolution: 'Wait for the number of seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    about: 'The request line and headers together are over the limit.',
    resolution: 'Send at most 16 KiB. Put long texts into the body.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    about: 'Gamekeeper failed to handle the request.',
    resolution: 'Try again. If it keeps failing, look for the request id in the logs folder.',
  },
  rcon_unavailable: {
    status: 502,
    title: 'Game server did not answer',
    about: 'The game server did not answer over RCON or the console in time.',
    resolution: 'Check that the server is running, and that its RCON settings are right.',
  },
  store_unavailable: {
    status: 502,
    title: 'Store unavailable',
    about: 'The store for copies of backups does not answer, closed the connection, or did not keep what it was sent.',
    resolution: 'Check that this machine can reach the store. Copies are retried automatically.',
  },
  vendor_unavailable: {
    status: 502,
    title: 'Vendor unavailable',
    about: 'The provider of the software or of Java does not answer, or sent something other than it announced.',
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
    resolution: 'Try again in a moment. If it keeps failing, restart Gamekeeper.',
  },
  proxy_unavailable: {
    status: 503,
    title: 'Proxy unavailable',
    about: 'The hosted proxy, or its database, does not answer. Without its keys, its tokens cannot be checked.',
    resolution: 'Try again in a moment. If it keeps failing, check that this machine can reach the proxy.',
  },
  shutting_down: {
    status: 503,
    title: 'Shutting down',
    about: 'Gamekeeper is shutting down.',
    resolution: 'Try again once it has restarted.',
  },
  insufficient_storage: {
    status: 507,
    title: 'Disk full',
    about: 'There is not enough free disk space.',
    resolution: 'Free disk space, or set another backups.directory.',
  },
} as const satisfies Record<string, { status: number; title: string; about: string; resolution: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** A peer of another version may send a code that this one does not know. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
