import { type ChildProcess, type Serializable, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type CodedFailure, fromCodedFailure, GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { HEARTBEAT_MS, type ToParent } from '../../shared/node/processes/lifeline.ts';
import { withLog } from '../home/log-file.ts';

/** A process of ours is ready in a tenth of a second; on a machine that is swapping it may take this long. */
const READY_TIMEOUT_MS = 20_000;

/** For a program that has said why it cannot serve to remove what it made. Milliseconds. */
const FAILED_GRACE_MS = 1_000;

/** A process that has not said for so many heartbeats that it lives hangs, and is ended like one that crashed. */
const MAX_MISSED_HEARTBEATS = 10;

/** Secrets of the daemon's own environment. A child could only lose them: to a game, a crash report, /proc/<pid>/environ. */
const PRIVATE_VARIABLES = ['GAMEKEEPER_ADMIN_PASSWORD'];

export interface Program {
  /** As in messages: "The gateway could not be started." */
  name: string;
  entry: string;
  args: readonly string[];
  /** A program, with its arguments, that becomes Node: it makes an environment for it first. */
  through?: readonly string[];
  /** Options for Node itself. */
  flags?: readonly string[];
  /** Added to the daemon's own environment. */
  environment?: Readonly<Record<string, string>>;
  /** Takes what the program writes to stdout and stderr. */
  logFile: string;
  /** In a session of its own: it lives on when the daemon's terminal or the daemon goes. */
  detached?: boolean;
  /** Working directory; the daemon's own if absent. */
  cwd?: string;
  /** The first message to the program. */
  boot?: Serializable;
  /** Done once there is a process, and before that message: what must be known of it should this daemon be killed. */
  beforeBoot?: (pid: number | undefined) => Promise<void>;
}

export interface Child<Ready> {
  readonly pid: number | undefined;
  /** What the program says when it serves. Rejects with what it says is wrong, or `worker_unavailable`. */
  readonly ready: Promise<Ready>;
  /** Why it ended, as the end of a sentence. */
  readonly exited: Promise<string>;
  /** Asks it to end, and ends it after `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
  /** Lets the daemon end without it, and it without the daemon. */
  release(): void;
}

/**
 * False for a program that was killed, fell, or hangs, and for one that could not reach this daemon, which was held up itself then: another
 * one may do better.
 */
export function hasSaidWhy(error: unknown): boolean {
  if (!(error instanceof GamekeeperError)) return true;
  return !(error.cause instanceof Speechless) && error.code !== 'daemon_unavailable';
}

/** Why a program is given up that has said nothing. */
class Speechless extends Error {
  override readonly name = 'Speechless';
}

/** Starts a program of ours by its path; see `ToParent` for what it is expected to say. */
export function startChild<Ready>(program: Program): Child<Ready> {
  const { through = [], flags = [], entry, args } = program;
  const [first = process.execPath, ...rest] = [...through, process.execPath, ...flags, entry, ...args];
  const child = withLog(program.logFile, (log) =>
    spawn(first, rest, {
      stdio: ['ignore', log, log, 'ipc'],
      detached: program.detached ?? false,
      ...(program.cwd !== undefined && { cwd: program.cwd }),
      env: { ...childEnvironment(), ...program.environment },
      windowsHide: true,
    }),
  );
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
  });
  const ready = untilReady<Ready>(child, { program, exited });
  // Where that fails, for want of disk space, the program goes on all the same.
  const prepared = program.beforeBoot?.(child.pid).catch(() => undefined);
  if (prepared) void prepared.then(boot);
  else boot();

  function boot(): void {
    // Without a process (no descriptor or memory is left for one) there is no channel. Failing to send means that it has ended, which 'exit' tells.
    if (program.boot !== undefined && child.connected) child.send(program.boot, () => undefined);
  }

  async function stop(graceMs: number): Promise<void> {
    child.kill('SIGTERM');
    const waiting = new AbortController();
    // Aborted only when it has lost the race.
    const late = delay(graceMs, true, waiting).catch(() => false);
    if ((await Promise.race([exited, late])) === true) child.kill('SIGKILL');
    waiting.abort();
    await exited;
  }

  ready.then(
    () => program.detached || endWhenHanging(child),
    // Whoever awaits `ready` hears of it; a program that never got ready is of no use to anybody.
    () => void stop(FAILED_GRACE_MS),
  );

  return {
    pid: child.pid,
    ready,
    exited,
    stop,
    release() {
      if (child.connected) child.disconnect();
      child.unref();
    },
  };
}

function untilReady<Ready>(
  child: ChildProcess,
  { program, exited }: { program: Program; exited: Promise<string> },
): Promise<Ready> {
  const unavailable = (reason: string) =>
    new GamekeeperError('worker_unavailable', `The ${program.name} ${reason}.`, {
      resolution: `Try again; if it stays, look into ${program.logFile}.`,
      retryAfterSeconds: 1,
      cause: new Speechless(),
    });
  return new Promise<Ready>((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable('did not get ready in time')), READY_TIMEOUT_MS);
    child.on('message', (message: ToParent<Ready>) => {
      if (message.type === 'ready') resolve(message.ready);
      if (message.type === 'failed') reject(fromCodedFailure(message as CodedFailure & { type: 'failed' }));
      clearTimeout(timer);
    });
    void exited.then((reason) => {
      clearTimeout(timer);
      reject(unavailable(reason));
    });
  });
}

function endWhenHanging(child: ChildProcess): void {
  let missed = 0;
  child.on('message', () => {
    missed = 0;
  });
  // Counted in ticks of our own clock, so that a machine waking from sleep does not find everybody guilty.
  const watch = setInterval(() => {
    if (++missed >= MAX_MISSED_HEARTBEATS) child.kill('SIGKILL');
  }, HEARTBEAT_MS);
  child.once('exit', () => clearInterval(watch));
}

function childEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of PRIVATE_VARIABLES) delete environment[name];
  return environment;
}
