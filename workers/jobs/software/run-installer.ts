import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import stripAnsi from 'strip-ansi';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { endRecorded, recordProcess } from '../../../shared/node/processes/recorded-process.ts';
import { asUser, type SystemUser } from '../../../shared/node/processes/system-user.ts';
import type { Steps } from '../queue/steps.ts';

/** Forge's installer downloads a hundred libraries and patches the game. Milliseconds. */
const INSTALLER_TIMEOUT_MS = 30 * 60_000;
/** Longer lines are cut, and more lines are dropped: this is progress, not a record. */
const MAX_LINE = 300;
const MAX_LINES = 2_000;
/** How many of the last lines an error includes. */
const TAIL = 5;
/** The environment variables that an installer gets; nothing of the machine's own Java. */
const KEPT = ['HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'SystemRoot', 'SystemDrive', 'APPDATA'];

export interface InstallerRun {
  /** Absolute path of the Java program. */
  java: string;
  jar: string;
  args: string[];
  directory: string;
  title: string;
  /** The user that the server runs as, if that is another than ours. Owns the folder. */
  user?: SystemUser | undefined;
  /** File that records the installer's process while it may run, so that it can be found after a kill of this process. */
  record: string;
}

/**
 * Runs a vendor's installer in a server's folder and yields its output. Ends a leftover installer first, because the two would damage each
 * other's files. Throws `installation_failed` with the last lines of output.
 */
export async function* runInstaller(
  { java, jar, args, directory, title, user, record }: InstallerRun,
  signal: AbortSignal,
): Steps<void> {
  await endRecorded(record);
  const env = Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  const timeout = AbortSignal.timeout(INSTALLER_TIMEOUT_MS);
  const left = new AbortController();
  const line = [java, '-Djava.awt.headless=true', '-jar', jar, ...args] as const;
  const [program, ...words] = whenTold(user ? asUser(user, line) : [...line]);
  const child = spawn(program, words, {
    cwd: directory,
    env: { ...env, ...(user && { HOME: directory }), PATH: path.dirname(java) },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, timeout, left.signal]),
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => undefined); // awaited below
  const output = new PassThrough();
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  child.once('close', () => output.end());
  child.stdin.on('error', () => undefined); // the installer has ended, which shows below
  const last: string[] = [];
  try {
    await recordProcess(record, child.pid).catch((error: unknown) => {
      throw withStorageError(error, 'which process the installer is');
    });
    child.stdin.end('\n');
    let count = 0;
    for await (const line of createInterface({ input: output })) {
      const shown = plain(line).slice(0, MAX_LINE);
      if (shown === '') continue;
      last.push(shown);
      if (last.length > TAIL) last.shift();
      if (++count <= MAX_LINES) yield { progress: `${title}: ${shown}` };
    }
    const [code, killed] = await ended;
    if (code === 0) return;
    throw failed(
      title,
      `it ended with ${killed ?? `exit code ${code}`}. Its last output: ${last.join(' | ') || 'none'}`,
    );
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof GamekeeperError) throw error;
    throw failed(title, timeout.aborted ? 'it did not finish in time' : 'it could not be started', error);
  } finally {
    left.abort();
    await endRecorded(record);
  }
}

/** Ends the installers that a killed jobs process has left running in servers' folders. Must run before any job. Failures are logged. */
export async function endLeftoverInstallers(home: Home, log: Logger): Promise<void> {
  const { dir, ext } = path.parse(home.installerRecord('any'));
  const names = await readdir(dir).catch(() => []); // nothing was ever started
  await Promise.all(
    names
      .filter((name) => path.extname(name) === ext)
      .map((name) =>
        endRecorded(path.join(dir, name)).catch((error: unknown) =>
          log.error({ err: error, record: name }, 'could not end an installer that was left running'),
        ),
      ),
  );
}

/**
 * Wraps a command line so that the process waits for a line of input before it begins, and exits if none comes. If this process is killed
 * before the installer is recorded, nothing keeps running. Windows has no such shell; there the installer begins at once.
 */
function whenTold(line: [program: string, ...args: string[]]): [program: string, ...args: string[]] {
  if (process.platform === 'win32') return line;
  return ['/bin/sh', '-c', 'read -r _ && exec "$@" </dev/null', 'sh', ...line];
}

/** The output also goes into a job's error, which no terminal interprets. */
function plain(line: string): string {
  return stripAnsi(line)
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}

function failed(title: string, why: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('installation_failed', `The installer of ${title} failed: ${why}.`, { cause });
}
