import { randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { constants } from 'node:os';
import { spawn, type Terminal } from 'node-pty';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { killGame, RUN_MARK, sendSignal } from './game-processes.ts';
import {
  type HeldTerminal,
  type HoldOptions,
  holdTerminal,
  isHeld,
  type RecordedTerminal,
  type TerminalSize,
} from './terminal-holder.ts';

const TERMINAL_NAME = 'xterm-256color';
/** Wide, so that line editors do not wrap their output. */
const DEFAULT_SIZE: TerminalSize = { columns: 200, rows: 50 };
/** One read that is at least this long shows that the program writes faster than this process reads. */
const BUSY_BYTES = 2 * 1024;
/** Read before the rest of the process gets its turn: half a millisecond of work. */
const GATHERED_BYTES = 64 * 1024;
const TAIL_BYTES = 64 * 1024;
/** More than the kernel buffers for a terminal. Longer output comes from a child that keeps writing, maybe forever. */
const LONGEST_TAIL_BYTES = 512 * 1024;

/** Windows has no signals, but consoles pass on the key. */
const CTRL_C = '\u0003';

/** Between two checks whether a process that closed its terminal is gone. */
const LONGEST_CHECK_MS = 250;

export interface PtyOptions {
  command: {
    /** Absolute path of an executable file. */
    program: string;
    args: readonly string[];
    cwd: string;
    env: Readonly<Record<string, string>>;
  };
  /** Distinguishes the processes of this run from all others; random if absent. */
  mark?: string;
  size?: TerminalSize | undefined;
  /** Lets the terminal outlive this process. The pipes are taken over unless it throws. */
  hold?: Pick<HoldOptions, 'pipes' | 'log' | 'label' | 'onLost'> | undefined;
  /** Raw output, in order; all of it before `exited` resolves. The bytes are valid until the call returns. */
  onData: (bytes: Buffer) => void;
}

export interface PtyExit {
  /** `null` when a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/** A process on its own terminal, leader of its own session. */
export interface PtyProcess {
  readonly pid: number;
  /** Set if the terminal outlives this process. */
  readonly held?: RecordedTerminal;
  readonly exited: Promise<PtyExit>;
  write(text: string): void;
  resize(size: TerminalSize): void;
  /** Signals the process group. No effect once it is gone. */
  signal(name: 'SIGTERM' | 'SIGINT'): void;
  kill(): void;
  /**
   * Closes the terminal, also for processes that are left, once their output is read and `onRest` has returned. Call this after the exit.
   */
  close(onRest?: () => void): Promise<void>;
  /** Leaves process and terminal to another supervisor. Throws `invalid_state` if the terminal is not held, or typed text waits. */
  release(): void;
}

/** Starts a program. Throws `launch_failed` if the system cannot create a process; a program that cannot be executed exits with 1. */
export function spawnPty(options: PtyOptions): PtyProcess {
  const { command, mark = randomUUID(), size = DEFAULT_SIZE, hold, onData } = options;
  const { program, args, cwd } = command;
  const { columns: cols, rows } = size;
  const env = { ...command.env, [RUN_MARK]: mark };
  const terminal = start(() =>
    spawn(program, [...args], { name: TERMINAL_NAME, cols, rows, cwd, env, encoding: null }),
  );
  const exit = new Promise<PtyExit>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      const name = signalName(signal);
      resolve({ exitCode: name === null ? exitCode : null, signal: name });
    });
  });
  const { pid } = terminal;
  if (hold) return onHeldTerminal({ pid, mark }, exit, handOut(terminal, { ...hold, mark, onData }));
  terminal.onData((bytes) => onData(withWaiting(terminal, bytes)));
  keepTail(terminal, onData);
  let ended = false;
  const exited = exit.finally(() => {
    ended = true;
  });
  return {
    pid,
    exited,
    write: (text) => terminal.write(text),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    signal(name) {
      if (process.platform !== 'win32') sendSignal(-pid, name);
      else if (name === 'SIGINT') terminal.write(CTRL_C);
      else terminal.kill();
    },
    kill: () =>
      process.platform === 'win32' ? terminal.kill() : killGame({ leader: pid, mark }, { leaderEnded: ended }),
    close: async (onRest) => onRest?.(), // node-pty has closed it
    release() {
      throw notNow('Its terminal belongs to its supervisor');
    },
  };
}

/**
 * Gives the terminal to a holder. node-pty starts to read only in the next turn, so nothing was read yet. If there cannot be another
 * process, the game is ended.
 */
function handOut(terminal: Terminal, options: Omit<HoldOptions, 'terminal' | 'device'>): HeldTerminal {
  try {
    return holdTerminal({ ...options, terminal: terminal.fd, device: terminal._pty });
  } catch (cause) {
    killGame({ leader: terminal.pid, mark: options.mark }, { leaderEnded: false });
    throw noProcess(cause);
  } finally {
    terminal._socket.destroy();
  }
}

/** Returns a process whose terminal is held. `exit` resolves when the process ends, by whatever shows that. */
export function onHeldTerminal(
  { pid, mark }: { pid: number; mark: string },
  exit: Promise<PtyExit>,
  { recorded, ...held }: HeldTerminal,
): PtyProcess {
  const game = { leader: pid, mark, holder: recorded.holder };
  let ended = false;
  return {
    pid,
    held: recorded,
    exited: exit.then(async (how) => {
      ended = true;
      await held.rest();
      return how;
    }),
    write: held.write,
    resize: held.resize,
    signal: (name) => sendSignal(-pid, name),
    kill: () => killGame(game, { leaderEnded: ended }),
    async close(onRest) {
      await held.rest();
      onRest?.();
      held.close();
    },
    release() {
      if (!isHeld(recorded)) throw notNow('Its terminal was lost');
      if (held.hasUnsent()) throw notNow('It does not read what was typed');
      held.release();
    },
  };
}

function start(fork: () => Terminal): Terminal {
  try {
    return fork();
  } catch (cause) {
    throw noProcess(cause);
  }
}

function notNow(why: string): GamekeeperError {
  return new GamekeeperError('invalid_state', `${why}, so another supervisor cannot take over now.`);
}

function noProcess(cause: unknown): GamekeeperError {
  return new GamekeeperError('launch_failed', 'The system could not start another process.', {
    resolution: 'The machine may have too many processes or terminals; try again in a moment.',
    cause,
  });
}

/**
 * Adds the output that waits in the kernel, up to `GATHERED_BYTES`. The kernel hands out a few kilobytes of a terminal at a time, and a turn of
 * the event loop for each of them takes more time than the reading: a flood would spend a third of its time there.
 */
function withWaiting({ fd }: Terminal, bytes: Buffer): Buffer {
  if (bytes.length < BUSY_BYTES || process.platform === 'win32') return bytes;
  gathered ??= Buffer.allocUnsafeSlow(GATHERED_BYTES);
  let length = bytes.copy(gathered);
  while (length < GATHERED_BYTES) {
    const read = readWaiting(fd, gathered.subarray(length));
    if (read === 0) break;
    length += read;
  }
  return gathered.subarray(0, length);
}

/** Used again and again by the only game of this process. */
let gathered: Buffer | undefined;

/**
 * Works around two habits of node-pty. It destroys its stream 200 ms after the process ended, even if this process was busy and has not read
 * all output yet (microsoft/node-pty#726 and #85), so the rest is read from the kernel just before. And it closes the terminal as soon as no
 * process has the other side open, which would hang up on a game that closed its own output, so that waits for the end of the process. The
 * tests fail if node-pty removes the two fields.
 */
function keepTail(terminal: Terminal, onData: (bytes: Buffer) => void): void {
  if (process.platform === 'win32') return;
  const { fd, pid, _socket: stream } = terminal;
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, callback) => {
    let length = 0;
    const tail = Buffer.allocUnsafe(TAIL_BYTES);
    for (let read = readWaiting(fd, tail); read > 0 && length < LONGEST_TAIL_BYTES; read = readWaiting(fd, tail)) {
      length += read;
      onData(tail.subarray(0, read));
    }
    whenGone(pid, () => destroy(error, callback));
  };
}

/** node-pty collects the exit code at once, after which the process no longer exists. */
function whenGone(pid: number, then: () => void, checkMs = 1): void {
  if (!exists(pid)) then();
  else setTimeout(whenGone, checkMs, pid, then, Math.min(checkMs * 2, LONGEST_CHECK_MS));
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the number of bytes read; 0 if none wait: EAGAIN while a process has the terminal open, EIO at the end. */
function readWaiting(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer);
  } catch {
    return 0;
  }
}

function signalName(number: number | undefined): NodeJS.Signals | null {
  if (number === undefined || number === 0) return null;
  const found = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return (found as NodeJS.Signals | undefined) ?? null;
}
