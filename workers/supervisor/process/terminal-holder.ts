import { execFile, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { processesOf, RUN_MARK, sendSignal } from './game-processes.ts';
import { childrenOf, commandLineOf, findProcess, isWaiting } from './process-tree.ts';
import type { TerminalPipes } from './terminal-pipes.ts';

/**
 * What the holder does: one cat(1) passes on what the terminal prints, another one what is typed. Descriptors: 0 the terminal, 1 and 4
 * both ends of the output, 3 the input. In the background 0 would be /dev/null, so the terminal becomes 5. The signals are those that a
 * closed window or the end of a session sends to everything.
 *
 * Once no process has the terminal open, it stays until it is killed: unread output waits for a supervisor that is yet to come, and without
 * it a game that closed its terminal, but still runs, would get a SIGHUP.
 */
const HOLD = `
trap "" HUP INT TERM
exec 5<&0 </dev/null
cat <&5 3<&- 4<&- 5<&- & reader=$!
cat <&3 >&5 3<&- 4<&- 5<&- & writer=$!
exec >/dev/null
wait $reader
kill -9 $writer
exec cat <&3`;
/** Names it in a list of processes. */
const NAME = 'gamekeeper-terminal';
const TYPED = 3;
const PRINTED = 4;

/** The most that a pipe of Linux hands out at once (pipe(7)). */
const READ_BYTES = 64 * 1024;
/** A shorter read shows that this process keeps up with the game. */
const BUSY_BYTES = 16 * 1024;
/** Then output is gathered for so long, in the pipe: longer than log/batcher.ts waits, so that what is read goes to the disk at once. Milliseconds. */
const GATHER_MS = 17;
/** More than terminal, holder and pipe can hold. Longer output comes from a process that keeps writing, maybe forever. */
const LONGEST_REST_BYTES = 512 * 1024;
/** Twice this long without output means that none is under way. Milliseconds. */
const QUIET_MS = 5;
/** Then the rest counts as read: a process may print forever, or somebody paused the holder. Counted, because this process may be busy. */
const MOST_LOOKS = 200;

/** In characters. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** By which another supervisor finds a terminal. */
export interface RecordedTerminal {
  /** The process that holds it, leader of its own session. */
  holder: number;
  /** Its start, clock ticks since boot. */
  holderTicks: number;
  /** Of the run (RUN_MARK). */
  mark: string;
  /** The game's side, such as /dev/pts/3. */
  device: string;
}

/** A terminal whose master side is in a process of its own, so that it outlives this one. */
export interface HeldTerminal {
  readonly recorded: RecordedTerminal;
  write(text: string): void;
  resize(size: TerminalSize): void;
  /** Resolves once everything that was printed so far has been passed to `onData`, within limits. Never rejects. */
  rest(): Promise<void>;
  /** True while typed text waits because the game does not read it. */
  hasUnsent(): boolean;
  /** Leaves the terminal to another supervisor. Nothing is read from it any more. */
  release(): void;
  /** Closes the terminal for the game, too. No output follows. */
  close(): void;
}

export interface HoldOptions {
  /** The terminal's master side. This process may close it afterwards. */
  terminal: number;
  device: string;
  /** See RUN_MARK: if this process is killed before the holder is on record, it is found and ended with the rest of the run. */
  mark: string;
  pipes: TerminalPipes;
  /** Words that tell people in a list of processes what this one is for. */
  label: readonly string[];
  onData: (bytes: Buffer) => void;
  /** Called if the holder is killed. */
  onLost: () => void;
}

/** Starts a process that holds a terminal, and takes the pipes over. Throws, without closing them, if the system cannot create a process. */
export function holdTerminal({ terminal, device, mark, pipes, label, onData, onLost }: HoldOptions): HeldTerminal {
  const { output, input } = pipes;
  const env = { PATH: process.env.PATH || '/usr/bin:/bin', [RUN_MARK]: mark };
  const child = spawn('/bin/sh', ['-c', HOLD, NAME, ...label], {
    ...{ cwd: '/', env, detached: true },
    stdio: [terminal, output.holders, 'ignore', input.holders, output.ours],
  });
  child.on('error', () => undefined); // it has no pid then
  child.unref();
  const { pid: holder } = child;
  if (holder === undefined) throw new Error('a process that holds the terminal could not be created');
  closeSync(output.holders);
  closeSync(input.holders);
  const recorded = { holder, holderTicks: findProcess(holder)?.startTicks ?? 0, mark, device };
  return connect(recorded, { output: output.ours, input: input.ours, onData, onLost });
}

/** Returns whether the process that holds a terminal lives. */
export function isHeld({ holder, holderTicks }: RecordedTerminal): boolean {
  return findProcess(holder)?.startTicks === holderTicks;
}

/** Returns whether a terminal can be taken over: it is held, and by a process whose descriptors we may open. Throws if that cannot be checked. */
export function canTake(recorded: RecordedTerminal): boolean {
  try {
    closeSync(openOutput(recorded));
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EPERM', 'ENOENT', 'ESRCH')) return false;
    throw error;
  }
  return isHeld(recorded);
}

/** Returns the process that holds the terminal of a run and is not on record, if there is one. */
export function findHolder(mark: string): number | undefined {
  const marked = processesOf({ leader: 0, mark }, { leaderEnded: true });
  return marked.find(({ pid, session }) => pid === session && commandLineOf(pid).includes(NAME))?.pid;
}

/** Kills what holds a terminal: the shell, and its programs if somebody killed the shell alone. */
export function endHolder(recorded: Pick<RecordedTerminal, 'holder' | 'mark'>): void {
  for (const { pid, session } of processesOf({ leader: 0, mark: recorded.mark }, { leaderEnded: true }))
    if (session === recorded.holder) sendSignal(pid, 'SIGKILL');
}

function openOutput({ holder }: RecordedTerminal): number {
  return openSync(`/proc/${holder}/fd/${PRINTED}`, constants.O_RDONLY | constants.O_NONBLOCK);
}

/** Takes over a terminal whose supervisor is gone: output continues with the first byte that was not read. Throws if `canTake` is false. */
export function takeTerminal(
  recorded: RecordedTerminal,
  { onData, onLost }: Pick<HoldOptions, 'onData' | 'onLost'>,
): HeldTerminal {
  const output = openOutput(recorded);
  try {
    const input = openSync(`/proc/${recorded.holder}/fd/${TYPED}`, constants.O_WRONLY | constants.O_NONBLOCK);
    return connect(recorded, { output, input, onData, onLost });
  } catch (error) {
    closeSync(output);
    throw error;
  }
}

function connect(
  recorded: RecordedTerminal,
  { output, input, onData, onLost }: { output: number; input: number } & Pick<HoldOptions, 'onData' | 'onLost'>,
): HeldTerminal {
  let read = 0;
  let hasEnded = false;
  let isClosed = false;
  const printed = new Socket({
    ...{ fd: output, writable: false },
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback(length, buffer) {
        read += length;
        onData(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        if (length >= BUSY_BYTES) return true;
        setTimeout(() => printed.resume(), GATHER_MS);
        return false;
      },
    },
  });
  const typed = new Socket({ fd: input, readable: false });
  for (const end of [printed, typed]) end.on('error', () => undefined); // the holder was killed; the other events follow
  printed.once('close', () => {
    hasEnded = true;
    if (!isClosed && !isHeld(recorded)) onLost();
  });
  let resizing = Promise.resolve();
  let wanted: TerminalSize | undefined;

  function release(): void {
    isClosed = true;
    printed.destroy();
    typed.destroy();
  }

  return {
    recorded,
    write: (text) => void (isClosed || typed.write(text)),
    resize(size) {
      wanted = size;
      resizing = resizing.then(() =>
        isClosed || wanted !== size || !isHeld(recorded) ? undefined : setSize(recorded.device, size),
      );
    },
    // While both programs of the holder wait and the pipe is empty, the terminal is empty as well.
    async rest() {
      const before = read;
      let quiet = 0;
      for (let look = 0; look < MOST_LOOKS && quiet < 2 && !hasEnded && read - before < LONGEST_REST_BYTES; look++) {
        const then = read;
        printed.resume();
        await sleep(QUIET_MS);
        await nextTurn(); // what waited meanwhile has been read
        quiet = read === then && childrenOf(recorded.holder).every(isWaiting) ? quiet + 1 : 0;
      }
    },
    hasUnsent: () => typed.writableLength > 0,
    release,
    close() {
      if (isClosed) return;
      release();
      if (isHeld(recorded)) sendSignal(-recorded.holder, 'SIGKILL');
      else endHolder(recorded);
    },
  };
}

/** By stty(1), since only the holder has the master side. A terminal that is gone needs no size. */
function setSize(device: string, { columns, rows }: TerminalSize): Promise<void> {
  return new Promise((resolve) => {
    execFile('stty', ['-F', device, 'cols', String(columns), 'rows', String(rows)], () => resolve());
  });
}
