import { execFile, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { processesOf, RUN_MARK, sendSignal } from './game-processes.ts';
import {
  type LoggedPosition,
  type OutputLog,
  OutputSpool,
  readPosition,
  type SpoolFiles,
  type SpoolOptions,
} from './output-spool.ts';
import { childrenOf, commandLineOf, everyProcess, type FoundProcess, findProcess, isWaiting } from './process-tree.ts';
import type { TerminalPipes } from './terminal-pipes.ts';

/**
 * What the holder does: tee(1) writes what the terminal prints to the spool, and then to a pipe, which wakes the supervisor and makes a game
 * wait that prints faster than it is logged; cat(1) passes on what is typed. Descriptors: 0 the terminal, 1 and 4 both ends of the output, 3
 * the input, 5 and 6 the spool. In the background 0 would be /dev/null, so the terminal becomes 7; the shell keeps 1 as 8, so that the output
 * ends with the shell and not with tee. The signals are those that a closed window or the end of a session sends to everything.
 *
 * Once no process has the terminal open, it stays until it is killed: unread output waits for a supervisor that is yet to come, and without
 * it a game that closed its terminal, but still runs, would get a SIGHUP. The `exit` keeps shells from becoming their last program, which
 * would have no name in a list of processes. If tee is killed, nobody reads the terminal any more, so all of it ends.
 */
const HOLD = `
trap "" HUP INT TERM
exec 7<&0 8>&1 </dev/null >/dev/null
tee -a /proc/self/fd/5 /proc/self/fd/8 <&7 3<&- 4<&- 6<&- 7<&- & reader=$!
cat <&3 >&7 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- & writer=$!
wait $reader
[ $? -gt 128 ] && kill -9 0
kill -9 $writer
cat <&3
exit`;
/** Names it in a list of processes. */
const NAME = 'gamekeeper-terminal';
const TYPED = 3;
const PRINTED = 4;
const SPOOLED = 5;
const POSITION = 6;

/** The most that a pipe of Linux hands out at once (pipe(7)). */
const READ_BYTES = 64 * 1024;
/** More than terminal, holder and pipe can hold. Longer output comes from a process that keeps writing, maybe forever. */
const LONGEST_REST_BYTES = 512 * 1024;
/** What the pipe may hold that the former supervisor has read from the spool: 16 pages (pipe(7)), which may have 64 KiB. */
const MOST_READ_BEFORE_BYTES = 1024 * 1024;
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
  /** In it, what is passed to `onData` has to appear. */
  log: OutputLog;
  /** Words that tell people in a list of processes what this one is for. */
  label: readonly string[];
  onData: (bytes: Buffer) => void;
  /** Called if the holder is killed. */
  onLost: () => void;
}

/** Starts a process that holds a terminal, and takes the pipes over. Throws, without closing them, if the system cannot create a process. */
export function holdTerminal({ terminal, device, mark, pipes, label, ...options }: HoldOptions): HeldTerminal {
  const { output, input, spool } = pipes;
  const env = { PATH: process.env.PATH || '/usr/bin:/bin', [RUN_MARK]: mark };
  const child = spawn('/bin/sh', ['-c', HOLD, NAME, ...label], {
    ...{ cwd: '/', env, detached: true },
    stdio: [terminal, output.holders, 'ignore', input.holders, output.ours, spool.output, spool.position],
  });
  child.on('error', () => undefined); // it has no pid then
  child.unref();
  const { pid: holder } = child;
  if (holder === undefined) throw new Error('a process that holds the terminal could not be created');
  const recorded = { holder, holderTicks: findProcess(holder)?.startTicks ?? 0, mark, device };
  const held = connect(recorded, { output: output.ours, input: input.ours, spool, isTaken: false }, options);
  closeSync(output.holders);
  closeSync(input.holders);
  return held;
}

/** Returns whether the process that holds a terminal lives. */
export function isHeld({ holder, holderTicks }: RecordedTerminal): boolean {
  return findProcess(holder)?.startTicks === holderTicks;
}

/** Returns whether a terminal can be taken over: it is held, and by a process whose descriptors we may open. Throws if that cannot be checked. */
export function canTake(recorded: RecordedTerminal): boolean {
  try {
    for (const descriptor of [PRINTED, SPOOLED, POSITION])
      closeSync(openHeld(recorded, descriptor, constants.O_RDONLY));
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EPERM', 'ENOENT', 'ESRCH')) return false;
    throw error;
  }
  return isHeld(recorded);
}

/** Returns the terminal of a run whose supervisor was killed before it had put that on record; without its device. */
export function findTerminalOf(mark: string): RecordedTerminal | undefined {
  const marked = processesOf({ leader: 0, mark }, { leaderEnded: true });
  const found = marked.find(({ pid, session }) => pid === session && commandLineOf(pid).includes(NAME));
  return found && { holder: found.pid, holderTicks: found.startTicks, mark, device: '' };
}

/** Kills what holds a terminal: the shell, and its programs if somebody killed the shell alone. */
export function endHolder(recorded: Pick<RecordedTerminal, 'holder' | 'mark'>): void {
  for (const { pid, session } of processesOf({ leader: 0, mark: recorded.mark }, { leaderEnded: true }))
    if (session === recorded.holder) sendSignal(pid, 'SIGKILL');
}

/** Opens what a holder keeps. */
function openHeld({ holder }: RecordedTerminal, descriptor: number, access: number): number {
  return openSync(`/proc/${holder}/fd/${descriptor}`, access | constants.O_NONBLOCK);
}

/** Returns how far the former supervisor has logged the output, as far as it has written that down. Throws if `canTake` is false. */
export function findPosition(recorded: RecordedTerminal): LoggedPosition | undefined {
  const file = openHeld(recorded, POSITION, constants.O_RDONLY);
  try {
    return readPosition(file);
  } finally {
    closeSync(file);
  }
}

/** Takes over a terminal whose supervisor is gone: output continues with the first byte that is not logged. Throws if `canTake` is false. */
export function takeTerminal(recorded: RecordedTerminal, options: ConnectOptions): HeldTerminal {
  const opened: number[] = [];
  const open = (descriptor: number, access: number) => {
    const held = openHeld(recorded, descriptor, access);
    opened.push(held);
    return held;
  };
  try {
    const descriptors = {
      output: open(PRINTED, constants.O_RDONLY),
      input: open(TYPED, constants.O_WRONLY),
      spool: { output: open(SPOOLED, constants.O_RDWR), position: open(POSITION, constants.O_RDWR) },
      isTaken: true,
    };
    return connect(recorded, descriptors, options);
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}

/** Returns the program that reads the terminal, unless it has ended or not begun. */
function findReader({ holder }: RecordedTerminal): FoundProcess | undefined {
  const children = childrenOf(holder).flatMap((pid) => findProcess(pid) ?? []);
  // If somebody killed the shell, or on a kernel that does not list children, all processes are searched.
  const found = children.length > 0 ? children : everyProcess();
  return found.find(({ session, command }) => session === holder && command === 'tee');
}

type ConnectOptions = Pick<HoldOptions, 'log' | 'onData' | 'onLost'> & Pick<SpoolOptions, 'loggedSince'>;

interface HeldDescriptors {
  output: number;
  input: number;
  spool: SpoolFiles;
  /** True if another supervisor has read from them. */
  isTaken: boolean;
}

function connect(
  recorded: RecordedTerminal,
  { output, input, spool: files, isTaken }: HeldDescriptors,
  { onLost, ...options }: ConnectOptions,
): HeldTerminal {
  let reader: FoundProcess | undefined;
  const writer = () => {
    if (reader && findProcess(reader.pid)?.startTicks === reader.startTicks) return reader.pid;
    const found = findReader(recorded);
    reader = found ?? reader;
    return found?.pid;
  };
  const spool = new OutputSpool(files, { ...options, writer });
  let read = 0;
  /** How many bytes of the pipe need not come out of the spool as well. */
  let notSpooled = isTaken && !spool.isGivenUp ? MOST_READ_BEFORE_BYTES : 0;
  let hasEnded = false;
  let isClosed = false;
  setImmediate(() => isClosed || spool.read()); // once the caller is prepared
  const printed = new Socket({
    ...{ fd: output, writable: false },
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback(length, buffer) {
        read += length;
        spool.read();
        const missing = read - notSpooled - spool.bytesRead;
        if (missing > 0) {
          spool.giveUp(); // as tee does if the memory is full
          notSpooled += missing;
          options.onData(Buffer.from(buffer.buffer, buffer.byteOffset + length - missing, missing));
        }
        return true;
      },
    },
  });
  const typed = new Socket({ fd: input, readable: false });
  for (const end of [printed, typed]) end.on('error', () => undefined); // the holder was killed; the other events follow
  printed.once('close', () => {
    hasEnded = true;
    if (isClosed) return;
    spool.read();
    onLost(); // the holder has the other end, too
  });
  /** Returns whether nothing is on its way from the terminal to the spool. */
  function isIdle(): boolean {
    const programs = childrenOf(recorded.holder).flatMap((pid) => findProcess(pid) ?? []);
    // cat is started after tee, so that one has begun.
    if (programs.some(({ command }) => command === 'cat')) return programs.every(({ pid }) => isWaiting(pid));
    const pid = writer();
    return pid === undefined ? reader !== undefined || !isHeld(recorded) : isWaiting(pid);
  }

  let resizing = Promise.resolve();
  let wanted: TerminalSize | undefined;

  function release(): void {
    if (isClosed) return;
    isClosed = true;
    spool.close();
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
    // While the holder's programs wait and the pipe is empty, the terminal is empty as well.
    async rest() {
      const before = read;
      let quiet = 0;
      for (let look = 0; look < MOST_LOOKS && quiet < 2 && !hasEnded && read - before < LONGEST_REST_BYTES; look++) {
        const then = read;
        printed.resume();
        await sleep(QUIET_MS);
        await nextTurn(); // what waited meanwhile has been read
        quiet = read === then && isIdle() ? quiet + 1 : 0;
      }
      if (!isClosed) spool.read();
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
