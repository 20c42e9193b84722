import { type ChildProcess, type Serializable, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type CodedFailure, fromCodedFailure, GamekeeperError } from '../../errors/gamekeeper-error.ts';
import { withLog } from '../files/log-file.ts';
import { HEARTBEAT_MS, type ToParent } from './lifeline.ts';

/** Usually a process is ready in a tenth of a second. On a machine that is swapping it may take this long. */
export const READY_TIMEOUT_MS = 30_000;

/** Time for a program that cannot serve to clean up, milliseconds. */
const FAILED_GRACE_MS = 1_000;

/** A process that misses so many heartbeats hangs. It is killed and handled like one that crashed. */
const MAX_MISSED_HEARTBEATS = 10;

/** Secrets in the daemon's environment. A child could only leak them: to a game, a crash report, /proc/<pid>/environ. */
const PRIVATE_VARIABLES = ['GAMEKEEPER_ADMIN_PASSWORD'];

export interface Program {
  /** For messages: "The gateway could not be started." */
  name: string;
  command: ProgramCommand;
  /** Receives stdout and stderr; without it, they go where ours go. */
  logFile?: string;
  process?: {
    /** Added to the daemon's own environment. */
    environment?: Readonly<Record<string, string>>;
    /** Working directory, default the daemon's own. */
    cwd?: string;
    /** Starts it in its own session, so that it survives the daemon and its terminal. */
    detached?: boolean;
    /** On Linux, starts it in its own session, which can have its own priority (session-priority.ts). It ends with the daemon. */
    ownSession?: boolean;
  };
  boot?: {
    /** The first message to the program. */
    message: Serializable;
    /** Runs once the process exists, before the message is sent, for example to record it in case this daemon is killed. */
    before?: (pid: number | undefined) => Promise<void>;
  };
}

export interface ProgramCommand {
  entry: string;
  args: readonly string[];
  /** Options for Node itself. */
  flags?: readonly string[];
  /** A command to start the process through, which then becomes Node; for example systemd-run. */
  through?: readonly string[];
}

export interface Child<Ready> {
  readonly pid: number | undefined;
  /** Resolves to what the program reports when it serves. Rejects with the failure it reports, or `worker_unavailable`. */
  readonly ready: Promise<Ready>;
  /** Resolves to why it ended, as the end of a sentence. */
  readonly exited: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
  /** Lets the daemon and the process exit independently of each other. */
  release(): void;
}

/**
 * Returns whether a program reported why it cannot serve. False if it was killed, crashed, hung, or could not reach this daemon because the
 * daemon was busy: the next attempt may succeed.
 */
export function hasReportedWhy(error: unknown): boolean {
  if (!(error instanceof GamekeeperError)) return true;
  return !(error.cause instanceof NoReport) && error.code !== 'daemon_unavailable';
}

/** The cause of a failure that the program did not report itself. */
class NoReport extends Error {
  override readonly name = 'NoReport';
}

/** Starts a program by its path. `ToParent` lists the messages that it sends. */
export function startChild<Ready>(program: Program): Child<Ready> {
  const { command, boot, process: { environment, cwd, detached = false, ownSession = false } = {} } = program;
  const { through = [], flags = [], entry, args } = command;
  const [first = process.execPath, ...rest] = [...through, process.execPath, ...flags, entry, ...args];
  const start = (output: number | 'inherit') =>
    spawn(first, rest, {
      stdio: ['ignore', output, output, 'ipc'],
      detached: detached || (ownSession && process.platform === 'linux'),
      ...(cwd !== undefined && { cwd }),
      env: { ...childEnvironment(), ...environment },
      windowsHide: true,
    });
  const child = program.logFile === undefined ? start('inherit') : withLog(program.logFile, start);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
  });
  const ready = untilReady<Ready>(child, { program, exited });
  // If recording fails, for example because the disk is full, the program still runs.
  const prepared = boot?.before?.(child.pid).catch(() => undefined);
  if (prepared) void prepared.then(sendBoot);
  else sendBoot();

  function sendBoot(): void {
    // Without a process there is no channel. If sending fails, the process has ended, and 'exit' follows.
    if (boot && child.connected) child.send(boot.message, () => undefined);
  }

  async function stop(graceMs: number): Promise<void> {
    child.kill('SIGTERM');
    const waiting = new AbortController();
    const late = delay(graceMs, true, waiting).catch(() => false); // rejects only if aborted, after the race
    if ((await Promise.race([exited, late])) === true) child.kill('SIGKILL');
    waiting.abort();
    await exited;
  }

  ready.then(
    () => detached || endWhenHanging(child),
    () => void stop(FAILED_GRACE_MS), // a caller of `ready` gets the rejection
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
      resolution: `Try again. If it keeps failing, see ${program.logFile ?? 'what was printed before'}.`,
      retryAfterSeconds: 1,
      cause: new NoReport(),
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
  // Counted in ticks instead of elapsed time: otherwise every process would seem to hang after the machine has slept.
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
