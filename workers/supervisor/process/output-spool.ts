import { closeSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from './game-processes.ts';
import { isStopped } from './process-tree.ts';

/** The log of what a terminal prints. */
export interface OutputLog {
  /** Writes the lines that wait to be written. Returns the number of the newest line. */
  lineNumber(): number;
  /** Returns whether a line has begun and not ended. */
  isMidLine(): boolean;
  /** Calls `listener` whenever lines were written, with the number of the newest one. Returns a function that removes the listener. */
  onLogged(listener: (newest: number) => void): () => void;
}

/** Descriptors of two files in memory (terminal-pipes.ts). */
export interface SpoolFiles {
  /** What the terminal has printed. Only the holder appends. */
  output: number;
  /** How far it is logged: written by the supervisor, read by the next one. */
  position: number;
}

/** How far the output is logged. */
export interface LoggedPosition {
  /** The number of the log's newest line then. */
  newest: number;
  /** Where the first line begins that is not logged, bytes. */
  offset: number;
  /** Set while the output is being shortened to so many bytes. */
  shortenedTo: number | undefined;
  /** True if the output is no longer in the spool, but in the pipe only: the memory is full. */
  isGivenUp: boolean;
}

export interface SpoolOptions {
  log: OutputLog;
  /** Lines that are in the log although the position says that they are not. */
  loggedSince?: number;
  /** Returns the process that writes the output, if it lives. */
  writer: () => number | undefined;
  /** The bytes are valid until the call returns. */
  onData: (bytes: Buffer) => void;
}

/**
 * Newest line, offset, length (NaN: none) and 1 if it is given up, as doubles. It is part of one page, so that a process that is killed writes
 * all of it or nothing.
 */
export const POSITION_BYTES = 32;
const READ_BYTES = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;

/** Output of this size is removed once it is logged. */
const MOST_KEPT_BYTES = 1024 * 1024;
/** More of a line than is ever shown. */
const LONGEST_BEGINNING_BYTES = 256 * 1024;
/** The writer stops as soon as the system gives it a turn. Then the next attempt is made. Milliseconds. */
const STOPPED_MS = 1_000;
const CHECK_MS = 1;

/**
 * What a game has printed and its supervisor has not logged yet, in memory that outlives the supervisor. Reading does not remove anything:
 * whenever a supervisor is killed, the next one logs exactly the lines that are not logged. It must not be on a disk, since nothing is
 * hidden in it yet.
 */
export class OutputSpool {
  readonly #files: SpoolFiles;
  readonly #options: SpoolOptions;
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #bytesRead = 0;
  /** Where the next read begins. */
  #offset: number;
  /** Where the line begins that has not ended. */
  #lineStart: number;
  #loggedSince: number;
  #unsubscribe: (() => void) | undefined;
  #isGivenUp: boolean;
  #isShortening = false;
  #isClosed = false;

  /** Takes the descriptors over. Throws, without closing them, if the log cannot be read. */
  constructor(files: SpoolFiles, options: SpoolOptions) {
    this.#files = files;
    this.#options = options;
    this.#loggedSince = options.loggedSince ?? 0;
    const newest = options.log.lineNumber();
    const found = readPosition(files.position);
    this.#offset = found?.offset ?? 0;
    this.#lineStart = this.#offset;
    this.#isGivenUp = found?.isGivenUp ?? false;
    // The log may have lost lines for lack of space.
    const noted = Math.min(found?.newest ?? newest, newest);
    this.#note(noted, found?.shortenedTo);
    if (found?.shortenedTo !== undefined) this.#cut(found.shortenedTo, noted);
    if (found) this.#continueWriter();
  }

  /** True if what is printed has to be taken from the pipe. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** How much was read. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Passes on all that was printed and not yet passed on. */
  read(): void {
    this.#unsubscribe ??= this.#options.log.onLogged((newest) => this.#note(newest));
    while (!this.#isClosed) {
      const length = readSync(this.#files.output, this.#buffer, 0, READ_BYTES, this.#offset);
      if (length === 0) break;
      const bytes = this.#buffer.subarray(0, length);
      const end = bytes.lastIndexOf(LF);
      if (end >= 0) this.#lineStart = this.#offset + end + 1;
      this.#offset += length;
      this.#bytesRead += length;
      this.#pass(bytes);
    }
    if (this.#offset > MOST_KEPT_BYTES) void this.#shorten();
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe?.();
    closeSync(this.#files.output);
    closeSync(this.#files.position);
  }

  /** Every LF of the output ends a line of the log (console/terminal/line-splitter.ts). */
  #pass(bytes: Buffer): void {
    let from = 0;
    for (; this.#loggedSince > 0 && from < bytes.length; this.#loggedSince--) {
      const end = bytes.indexOf(LF, from);
      if (end < 0) return;
      from = end + 1;
    }
    if (from < bytes.length) this.#options.onData(bytes.subarray(from));
  }

  #note(newest: number, shortenedTo = Number.NaN): void {
    const position = Buffer.allocUnsafe(POSITION_BYTES);
    position.writeDoubleLE(newest);
    const isMidLine = this.#options.log.isMidLine() && !this.#isGivenUp;
    position.writeDoubleLE(isMidLine ? this.#lineStart : this.#offset, 8);
    position.writeDoubleLE(shortenedTo, 16);
    position.writeDoubleLE(this.#isGivenUp ? 1 : 0, 24);
    writeSync(this.#files.position, position, 0, POSITION_BYTES, 0);
  }

  /** Removes what is logged. Meanwhile the writer is stopped, and with it a game that prints much. */
  async #shorten(): Promise<void> {
    const pid = this.#isShortening ? undefined : this.#options.writer();
    if (pid === undefined) return;
    this.#isShortening = true;
    try {
      if (!(await stop(pid)) || this.#isClosed) return;
      this.read();
      const newest = this.#options.log.lineNumber();
      this.#note(newest);
      const begun = this.#begunLine();
      // What is overwritten is logged, or belongs to a line of which more than its end would not be shown.
      writeSync(this.#files.output, begun, 0, begun.length, 0);
      this.#lineStart = 0;
      this.#offset = begun.length;
      this.#note(newest, begun.length);
      this.#cut(begun.length, newest);
    } finally {
      this.#isShortening = false;
      this.#continueWriter();
    }
  }

  /** Returns the end of the line that has not ended: of a long one as much as matters for what is hidden in its rest. */
  #begunLine(): Buffer {
    if (!this.#options.log.isMidLine()) return Buffer.alloc(0);
    const length = this.#offset - this.#lineStart;
    const begun = Buffer.alloc(Math.min(length, LONGEST_BEGINNING_BYTES));
    readSync(this.#files.output, begun, 0, begun.length, this.#offset - begun.length);
    // Nothing would recognise half a word that has to be hidden.
    return begun.length === length
      ? begun
      : begun.subarray(begun.findIndex((byte) => byte === CR || byte === BLANK) + 1);
  }

  #cut(length: number, newest: number): void {
    ftruncateSync(this.#files.output, length);
    this.#note(newest);
  }

  /** A supervisor that was killed may have left it stopped. */
  #continueWriter(): void {
    const pid = this.#options.writer();
    if (pid !== undefined) sendSignal(pid, 'SIGCONT');
  }
}

/** Returns what the former supervisor has noted; `undefined` if that is nothing. */
export function readPosition(file: number): LoggedPosition | undefined {
  const content = Buffer.alloc(POSITION_BYTES);
  if (readSync(file, content, 0, POSITION_BYTES, 0) < POSITION_BYTES) return undefined;
  const number = (index: number) => content.readDoubleLE(index * 8);
  const [newest, shortenedTo] = [number(0), number(2)];
  if (Number.isNaN(newest)) return undefined;
  return {
    newest,
    offset: number(1),
    shortenedTo: Number.isNaN(shortenedTo) ? undefined : shortenedTo,
    isGivenUp: number(3) === 1,
  };
}

/** Stops a process. Returns whether it has, in time. */
async function stop(pid: number): Promise<boolean> {
  sendSignal(pid, 'SIGSTOP');
  for (let waited = 0; !isStopped(pid); waited += CHECK_MS) {
    if (waited >= STOPPED_MS) return false;
    await sleep(CHECK_MS);
  }
  return true;
}
