import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import stripAnsi from 'strip-ansi';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import { endRecorded, recordProcess } from '../../../shared/node/processes/recorded-process.ts';
import { asUser, type SystemUser } from '../../../shared/node/processes/system-user.ts';
import { cutLines } from './cut-lines.ts';

/** Longer lines are cut: this is progress, not a record. */
const MAX_LINE = 300;
/** What is read of a line, of which some may be colours. */
const MAX_RAW_LINE = 10 * MAX_LINE;
/** How many of the last lines an error includes. */
const TAIL = 5;
const HAS_GROUPS = process.platform !== 'win32';

export interface ProgramRun {
  /** Begins the message of an error: "The installer of Forge". */
  what: string;
  /** Absolute path. */
  program: string;
  args: readonly string[];
  directory: string;
  /** The user that it runs as, if that is another than ours. */
  user?: SystemUser | undefined;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** File that records the process while it may run, so that it can be found after a kill of this process. */
  record: string;
}

export interface ProgramEnd {
  /** The exit code, or the signal that ended it. */
  code: number | NodeJS.Signals;
  /** The last lines of its output, or "none". */
  tail: string;
}

/**
 * Runs a program in a server's folder, yields the lines of its output, and returns how it ended. Nothing that it starts outlives it. Ends a
 * leftover of an earlier run first, because the two would damage each other's files. Throws `installation_failed` if it cannot be started or
 * takes too long.
 */
export async function* runProgram(
  { what, program, args, directory, user, env, timeoutMs, record }: ProgramRun,
  signal: AbortSignal,
): AsyncGenerator<string, ProgramEnd> {
  signal.throwIfAborted();
  await endRecorded(record, { group: true });
  const timeout = AbortSignal.timeout(timeoutMs);
  const [command, ...words] = afterSignal(user ? asUser(user, [program, ...args]) : [program, ...args]);
  const child = spawn(command, words, {
    cwd: directory,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // In a group of its own, because scripts leave their children running if only they are killed.
    detached: HAS_GROUPS,
    windowsHide: true,
  });
  const kill = () => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const stopped = AbortSignal.any([signal, timeout]);
  stopped.addEventListener('abort', kill, { once: true });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => undefined); // awaited below
  const output = new PassThrough();
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  child.once('close', () => output.end());
  // What it has started in the background must not hold its output open.
  child.once('exit', kill);
  child.once('error', () => output.end());
  child.stdin.on('error', () => undefined); // the program has ended, which shows below
  const last: string[] = [];
  try {
    await recordProcess(record, child.pid).catch((error: unknown) => {
      throw withStorageError(error, 'which process the installer is');
    });
    child.stdin.end('\n');
    for await (const line of cutLines(output.setEncoding('utf8'), MAX_RAW_LINE)) {
      const shown = plain(line).slice(0, MAX_LINE);
      if (shown === '') continue;
      last.push(shown);
      if (last.length > TAIL) last.shift();
      yield shown;
    }
    const [code, killed] = await ended;
    stopped.throwIfAborted();
    return { code: killed ?? code ?? 0, tail: last.join(' | ') || 'none' };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof GamekeeperError) throw error;
    throw runFailed(what, timeout.aborted ? 'it did not finish in time' : 'it could not be started', error);
  } finally {
    stopped.removeEventListener('abort', kill);
    kill();
    await endRecorded(record, { group: true });
  }
}

export function runFailed(what: string, why: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('installation_failed', `${what} failed: ${why}.`, { cause });
}

function killGroup(pid: number): void {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Wraps a command line so that the process waits for a line of input before it begins, and exits if none comes. If this process is killed
 * before the program is recorded, nothing keeps running. Windows has no such shell; there the program begins at once.
 */
function afterSignal(line: [program: string, ...args: string[]]): [program: string, ...args: string[]] {
  if (process.platform === 'win32') return line;
  return ['/bin/sh', '-c', 'read -r _ && exec "$@" </dev/null', 'sh', ...line];
}

/** The output also goes into a job's error, which no terminal interprets. */
function plain(line: string): string {
  return stripAnsi(line)
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}
