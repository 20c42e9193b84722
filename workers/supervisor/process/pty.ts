import { randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { constants } from 'node:os';
import { spawn, type Terminal } from 'node-pty';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { killGame, RUN_MARK, sendSignal } from './game-processes.ts';

/** What full-screen programs expect. */
const TERMINAL_NAME = 'xterm-256color';
/** While nobody has said a size: wide, so that line editors do not wrap what they print. */
const DEFAULT_SIZE: TerminalSize = { columns: 200, rows: 50 };
/** Read at once at the end. */
const TAIL_BYTES = 64 * 1024;
/** More than the kernel keeps for a terminal. Beyond that it is a child that goes on writing, and would do so for ever. */
const LONGEST_TAIL_BYTES = 512 * 1024;

/** Between two looks whether a process is gone whose terminal nobody has open any more. */
const LONGEST_LOOK_MS = 250;

/** In characters. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

export interface PtyOptions {
  /** Absolute path of an executable file. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Tells the processes of this run from all others; one of its own if absent. */
  mark?: string;
  size?: TerminalSize | undefined;
  /** Raw output, in order; all of it before `exited` resolves. */
  onData: (bytes: Buffer) => void;
}

export interface PtyExit {
  /** `null` when a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/** A process on a terminal of its own, leader of a session of its own. */
export interface PtyProcess {
  readonly pid: number;
  readonly exited: Promise<PtyExit>;
  /** Types text. */
  write(text: string): void;
  resize(size: TerminalSize): void;
  /** Signals the whole process group. No effect once it is gone. */
  signal(name: 'SIGTERM'): void;
  /** Ends everything that the process has started and that still hangs together with it. */
  kill(): void;
}

/** Starts a program. Throws `launch_failed` when there can be no process; a program that cannot be executed exits with 1. */
export function spawnPty(options: PtyOptions): PtyProcess {
  const { program, args, cwd, mark = randomUUID(), size = DEFAULT_SIZE, onData } = options;
  const { columns: cols, rows } = size;
  const env = { ...options.env, [RUN_MARK]: mark };
  const terminal = start(() =>
    spawn(program, [...args], { name: TERMINAL_NAME, cols, rows, cwd, env, encoding: null }),
  );
  const { pid } = terminal;
  terminal.onData(onData);
  keepTail(terminal, onData);
  let ended = false;
  const exited = new Promise<PtyExit>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      ended = true;
      const name = signalName(signal);
      resolve({ exitCode: name === null ? exitCode : null, signal: name });
    });
  });
  return {
    pid,
    exited,
    write: (text) => terminal.write(text),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    signal: (name) => (process.platform === 'win32' ? terminal.kill() : sendSignal(-pid, name)),
    kill: () =>
      process.platform === 'win32' ? terminal.kill() : killGame({ leader: pid, mark }, { leaderEnded: ended }),
  };
}

function start(fork: () => Terminal): Terminal {
  try {
    return fork();
  } catch (cause) {
    throw new GamekeeperError('launch_failed', 'The system could not start another process.', {
      resolution: 'The machine may have too many processes or terminals; try again in a moment.',
      cause,
    });
  }
}

/**
 * node-pty destroys its stream 200 ms after the process has ended, even when this process was busy and has not read all of its
 * last words yet (microsoft/node-pty#726 and #85). So what the kernel still holds is read just before the stream is closed. It also
 * closes the terminal as soon as nobody has the other side open, which would hang up on a game that has closed its own output and goes
 * on: that waits for the process's end. The tests notice if the two fields go.
 */
function keepTail(terminal: Terminal, onData: (bytes: Buffer) => void): void {
  if (process.platform === 'win32') return;
  const { fd, pid, _socket: stream } = terminal;
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, callback) => {
    let length = 0;
    for (let tail = readTail(fd); tail.length > 0 && length < LONGEST_TAIL_BYTES; tail = readTail(fd)) {
      length += tail.length;
      onData(tail);
    }
    whenGone(pid, () => destroy(error, callback));
  };
}

/** node-pty asks for the exit code as soon as there is one, and from then on the process is not there any more. */
function whenGone(pid: number, then: () => void, lookMs = 1): void {
  if (!exists(pid)) then();
  else setTimeout(whenGone, lookMs, pid, then, Math.min(lookMs * 2, LONGEST_LOOK_MS));
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Empty once there is nothing more: EAGAIN while somebody else holds the terminal open, EIO when nobody does. */
function readTail(fd: number): Buffer {
  const buffer = Buffer.allocUnsafe(TAIL_BYTES);
  try {
    return buffer.subarray(0, readSync(fd, buffer));
  } catch {
    return Buffer.alloc(0);
  }
}

function signalName(number: number | undefined): NodeJS.Signals | null {
  if (number === undefined || number === 0) return null;
  const found = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return (found as NodeJS.Signals | undefined) ?? null;
}
