import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/** `sun_path` is 108 bytes on Linux and 104 on macOS, a closing NUL included. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Every path under the data directory (api.md, Environment, settings, command line). */
export interface Home {
  root: string;
  settings: string;
  database: string;
  instances: string;
  runtimes: string;
  /** The owner's own kinds of server software, one file each. */
  software: string;
  /** What can be had again. */
  cache: string;
  /** What was installed for each instance, one file each. */
  installed: string;
  backups: string;
  logs: string;
  run: string;
  /** Ready file of the daemon. */
  daemonRecord: string;
  daemonLock: string;
  daemonSocket: string;
  jobsSocket: string;
  /** Present while the jobs process has work that is to go on after a restart, though nobody asks for anything. */
  jobsMark: string;
  /** HTTP for the command line, answered by the gateway as the local administrator even while Remote Control is off. */
  gatewaySocket: string;
  /** Managed folder of an instance's server. */
  instanceDirectory(id: string): string;
  /** Redacted console log of an instance. */
  consoleLogDirectory(id: string): string;
  supervisorRecord(id: string): string;
  supervisorSocket(id: string): string;
  /** Which process was started as an instance's supervisor, until it is ready. */
  supervisorStart(id: string): string;
  /** Where the bytes of one export go; `key` is of 8 letters or digits. */
  exportSocket(key: string): string;
  /** Which process an instance's game is, while it runs. */
  gameRecord(id: string): string;
  /** Which process is a vendor's installer at work in an instance's folder. */
  installerRecord(id: string): string;
  /** Durable mark "the world may be locked" of an instance. */
  worldLockMark(id: string): string;
  /** Durable mark "the folder is being replaced by a backup" of an instance: while it is there, the server must not start. */
  restoreMark(id: string): string;
}

/** The layout below `root`, an absolute path. */
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
    installed: below('installed'),
    backups: below('backups'),
    logs: below('logs'),
    run,
    daemonRecord: below('run', 'daemon.json'),
    daemonLock: below('run', 'daemon.lock'),
    daemonSocket: socket('daemon.sock'),
    jobsSocket: socket('jobs.sock'),
    jobsMark: below('run', 'jobs.wanted'),
    gatewaySocket: socket('gateway.sock'),
    instanceDirectory: (id) => below('instances', id),
    consoleLogDirectory: (id) => below('logs', 'instances', id),
    supervisorRecord: (id) => below('run', 'instances', `${id}.json`),
    supervisorStart: (id) => below('run', 'instances', `${id}.starting`),
    supervisorSocket: (id) => socket(path.join('instances', `${id}.sock`)),
    exportSocket: (key) => socket(`export-${key}.sock`),
    gameRecord: (id) => below('run', 'instances', `${id}.game`),
    installerRecord: (id) => below('run', 'instances', `${id}.installer`),
    worldLockMark: (id) => below('run', 'instances', `${id}.world-lock`),
    restoreMark: (id) => below('run', 'instances', `${id}.restore.json`),
  };
}

/** The data directory: `GAMEKEEPER_HOME`, else the platform's place for a user's data. */
export function defaultHome(env: NodeJS.ProcessEnv): string {
  if (env.GAMEKEEPER_HOME) return path.resolve(env.GAMEKEEPER_HOME);
  if (process.platform === 'win32')
    return path.join(env.LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local'), 'Gamekeeper');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'Gamekeeper');
  return path.join(env.XDG_DATA_HOME ?? path.join(homedir(), '.local', 'share'), 'gamekeeper');
}

/**
 * The private folder (0700) that holds the sockets of a home whose own path is too long for them. Named after user and home, so
 * that every process finds the same one.
 */
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

/** All sockets of a home live in one place or the other, decided by the longest: an instance id of 32 characters. */
function longestSocketPath(root: string): number {
  return Buffer.byteLength(path.join(root, 'run', 'instances', `${'x'.repeat(32)}.sock`));
}
