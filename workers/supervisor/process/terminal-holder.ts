import { execFile, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { RUN_MARK, sendSignal } from './game-processes.ts';
import { childrenOf, findProcess, isWaiting } from './process-tree.ts';
import { closeTerminalPipes, type TerminalPipes } from './terminal-pipes.ts';

/**
 * What the holder does: one cat(1) passes on what the terminal prints, another one what is typed. Descriptors: 0 the terminal, 1 and 4
 * both ends of the output, 3 the input. In the background 0 would be /dev/null, so the terminal becomes 5. The signals are those that a
 * closed window or the end of a session sends to everything.
 *
 * Once no process has the terminal open, it stays until it is killed: unread output waits for a supervisor that is yet to come, and a game
 * that closed its terminal, but still runs, would get a SIGHUP.
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
  /** The game's side, such as /dev/pts/3. */
  device: string;
}

/** A terminal whose other side is in a process of its own, so that it outlives this one. */
export interface HeldTerminal {
  readonly recorded: RecordedTerminal;
  write(text: string): void;
  resize(size: TerminalSize): void;
  /** Resolves once everything that was printed so far has been passed to `onData`. Never rejects. */
  rest(): Promise<void>;
  /** Closes the terminal for the game, too. No output follows. */
  close(): void;
}

export interface HoldOptions {
  /** The terminal's own side. This process may close it afterwards. */
  terminal: number;
  device: string;
  /** See RUN_MARK: if this process is killed before the holder is on record, it is found and ended with the rest of the run. */
  mark: string;
  pipes: TerminalPipes;
  /** Words that tell people in a list of processes what this one is for. */
  label: readonly string[];
  onData: (bytes: Buffer) => void;
}

/** Starts a process that holds a terminal. Takes the pipes over. Returns `undefined` if the system cannot create a process. */
export function holdTerminal({ terminal, device, mark, pipes, label, onData }: HoldOptions): HeldTerminal | undefined {
  const { output, input } = pipes;
  const args = ['-c', HOLD, 'gamekeeper-terminal', ...label];
  const holder = start(args, mark, [terminal, output.holders, 'ignore', input.holders, output.ours]);
  if (holder === undefined) {
    closeTerminalPipes(pipes);
    return undefined;
  }
  closeSync(output.holders);
  closeSync(input.holders);
  const recorded = { holder, holderTicks: findProcess(holder)?.startTicks ?? 0, device };
  return connect(recorded, { output: output.ours, input: input.ours, onData });
}

function start(args: string[], mark: string, stdio: (number | 'ignore')[]): number | undefined {
  const env = { PATH: process.env.PATH ?? '', [RUN_MARK]: mark };
  const child = spawn('/bin/sh', args, { cwd: '/', env, detached: true, stdio });
  child.on('error', () => undefined); // it has no pid then
  child.unref();
  return child.pid;
}

/** Returns whether the process that holds a terminal lives. */
export function isHeld({ holder, holderTicks }: RecordedTerminal): boolean {
  return findProcess(holder)?.startTicks === holderTicks;
}

/** Takes over a terminal whose supervisor is gone: output continues with the first byte that was not read. Throws if it is not held. */
export function takeTerminal(recorded: RecordedTerminal, onData: (bytes: Buffer) => void): HeldTerminal {
  if (!isHeld(recorded)) throw new Error('nothing holds the terminal');
  const end = (descriptor: number) => `/proc/${recorded.holder}/fd/${descriptor}`;
  const output = openSync(end(PRINTED), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const input = openSync(end(TYPED), constants.O_WRONLY | constants.O_NONBLOCK);
    return connect(recorded, { output, input, onData });
  } catch (error) {
    closeSync(output);
    throw error;
  }
}

function connect(
  recorded: RecordedTerminal,
  { output, input, onData }: { output: number; input: number; onData: (bytes: Buffer) => void },
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
  });
  let resizing = Promise.resolve();
  let wanted: TerminalSize | undefined;

  return {
    recorded,
    write: (text) => void (isClosed || typed.write(text)),
    resize(size) {
      wanted = size;
      resizing = resizing.then(() => (isClosed || wanted !== size ? undefined : setSize(recorded.device, size)));
    },
    // While both programs of the holder wait and the pipe is empty, the terminal is empty as well.
    async rest() {
      const before = read;
      for (let quiet = 0; quiet < 2 && !hasEnded && read - before < LONGEST_REST_BYTES; ) {
        const then = read;
        printed.resume();
        await sleep(QUIET_MS);
        await nextTurn(); // what waited meanwhile has been read
        quiet = read === then && childrenOf(recorded.holder).every(isWaiting) ? quiet + 1 : 0;
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      printed.destroy();
      typed.destroy();
      if (isHeld(recorded)) sendSignal(-recorded.holder, 'SIGKILL');
    },
  };
}

/** By stty(1), since only the holder has the terminal's own side. A terminal that is gone needs no size. */
function setSize(device: string, { columns, rows }: TerminalSize): Promise<void> {
  return new Promise((resolve) => {
    execFile('stty', ['-F', device, 'cols', String(columns), 'rows', String(rows)], () => resolve());
  });
}
