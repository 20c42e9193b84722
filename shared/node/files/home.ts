import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/** `sun_path` has 108 bytes on Linux and 104 on macOS, including a NUL. */
const MAX_SOCKET_PATH_BYTES = 103;

/** The name of a folder for the sockets of a home whose path is too long. */
export const SHORT_SOCKET_FOLDER = /^gamekeeper-\d+-[0-9a-f]{16}$/;

/** Every path in the data directory (docs/operating.md). */
export interface Home {
  root: string;
  settings: string;
  database: string;
  instances: string;
  runtimes: string;
  /** Custom software, one file for each kind. */
  software: string;
  /** Downloads, which can be fetched again. */
  cache: string;
  /** The skins of players. Exists once one was fetched. */
  skins: string;
  /** What is installed for each instance, one file each. */
  installed: string;
  backups: string;
  /** Archives that were uploaded to be imported. Exists once there was one. */
  imports: string;
  logs: string;
  run: string;
  /** `run/daemon.json`, which exists while the daemon is ready. */
  daemonRecord: string;
  /** The `gamekeeper upgrade` that replaces the daemon at the moment. */
  upgradeRecord: string;
  daemonLock: string;
  daemonSocket: string;
  jobsSocket: string;
  filesSocket: string;
  /** Of the gateway, which checks passwords for other processes. */
  signInSocket: string;
  /** The SSH host key of the SFTP server. */
  sftpHostKey: string;
  /** Exists while the jobs process has work to continue after a restart. */
  jobsMark: string;
  /** The backups that the jobs process has accepted and not finished. */
  unfinishedBackups: string;
  /** The gateway's HTTP socket for the command line, which acts as the local administrator, also while Remote Control is off. */
  gatewaySocket: string;
  /** The managed folder of an instance. */
  instanceDirectory(id: string): string;
  /** The redacted console log of an instance. */
  consoleLogDirectory(id: string): string;
  supervisorRecord(id: string): string;
  supervisorSocket(id: string): string;
  /** The process that was started as an instance's supervisor, until it is ready. */
  supervisorStart(id: string): string;
  /** The socket for the bytes of one export. `key` has 8 letters or digits. */
  exportSocket(key: string): string;
  /** The process of an instance's game, while it runs. */
  gameRecord(id: string): string;
  /** How the names of the pipes to a game's terminal begin, which exist for a moment of its start. */
  terminalPipes(id: string): string;
  /** What an instance's server should do, by its supervisor. */
  intentRecord(id: string): string;
  /** The process of a vendor's installer that works in an instance's folder. */
  installerRecord(id: string): string;
  /** Exists while an instance's world may be locked. */
  worldLockMark(id: string): string;
  /** Exists while a restore replaces an instance's folder. Meanwhile the server must not start. */
  restoreMark(id: string): string;
  /** Exists while an instance's server is stopped for a restore and has to start again after it. */
  restartMark(id: string): string;
}

/** Returns the paths below `root`, which is absolute. */
export function homeAt(root: string): Home {
  const below = (...parts: string[]) => path.join(root, ...parts);
  const run = below('run');
  const socket = (name: string) => socketPath(root, path.join(run, name));
  return {
    root,
    settings: below('settings.json'),
    database: below('gamekeeper.db'),
    instances: below('instances'),
    runtimes: below('runtimes'),
    software: below('software'),
    cache: below('cache'),
    skins: below('cache', 'skins'),
    installed: below('installed'),
    backups: below('backups'),
    imports: below('imports'),
    logs: below('logs'),
    run,
    daemonRecord: below('run', 'daemon.json'),
    upgradeRecord: below('run', 'upgrade.json'),
    daemonLock: below('run', 'daemon.lock'),
    daemonSocket: socket('daemon.sock'),
    jobsSocket: socket('jobs.sock'),
    filesSocket: socket('files.sock'),
    signInSocket: socket('sign-in.sock'),
    sftpHostKey: below('sftp', 'host-key'),
    jobsMark: below('run', 'jobs.wanted'),
    unfinishedBackups: below('run', 'backups.unfinished'),
    gatewaySocket: socket('gateway.sock'),
    instanceDirectory: (id) => below('instances', id),
    consoleLogDirectory: (id) => below('logs', 'instances', id),
    supervisorRecord: (id) => below('run', 'instances', `${id}.json`),
    supervisorStart: (id) => below('run', 'instances', `${id}.starting`),
    supervisorSocket: (id) => socket(path.join('instances', `${id}.sock`)),
    exportSocket: (key) => socket(`export-${key}.sock`),
    gameRecord: (id) => below('run', 'instances', `${id}.game`),
    terminalPipes: (id) => below('run', 'instances', `${id}.terminal`),
    intentRecord: (id) => below('run', 'instances', `${id}.intent`),
    installerRecord: (id) => below('run', 'instances', `${id}.installer`),
    worldLockMark: (id) => below('run', 'instances', `${id}.world-lock`),
    restoreMark: (id) => below('run', 'instances', `${id}.restore.json`),
    restartMark: (id) => below('run', 'instances', `${id}.restart`),
  };
}

/** Returns `GAMEKEEPER_HOME`, or the platform's folder for a user's data. */
export function defaultHome(env: NodeJS.ProcessEnv): string {
  if (env.GAMEKEEPER_HOME) return path.resolve(env.GAMEKEEPER_HOME);
  if (process.platform === 'win32')
    return path.join(env.LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local'), 'Gamekeeper');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'Gamekeeper');
  return path.join(env.XDG_DATA_HOME ?? path.join(homedir(), '.local', 'share'), 'gamekeeper');
}

/** Returns the private folder for the sockets of a home whose path is too long. Every process derives the same path from user and home. */
export function shortSocketDirectory(root: string): string {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `gamekeeper-${userInfo().uid}-${hash}`);
}

function socketPath(root: string, preferred: string): string {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\gamekeeper-${createHash('sha256').update(preferred).digest('hex').slice(0, 32)}`;
  if (longestSocketPath(root) <= MAX_SOCKET_PATH_BYTES) return preferred;
  return path.join(
    shortSocketDirectory(root),
    path.relative(path.join(root, 'run'), preferred).replaceAll(path.sep, '-'),
  );
}

/** The longest path decides where all sockets are. Instance ids have at most 32 characters. */
function longestSocketPath(root: string): number {
  return Buffer.byteLength(path.join(root, 'run', 'instances', `${'x'.repeat(32)}.sock`));
}
