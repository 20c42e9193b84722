import { closeSync, fstatSync, ftruncateSync, readSync, writevSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from './game-processes.ts';
import { isStopped } from './process-tree.ts';

/** The log of what a terminal prints. */
export interface OutputLog {
  /** Writes the lines that wait to be written. Returns the number of the newest line. */
  lineNumber(): number;
  /** Returns the line that has not ended, as it was read. Valid until the next output. */
  unfinishedLine(): Buffer;
  /** Calls `listener` whenever lines were written, with the number of the newest one. Returns a function that removes the listener. */
  onLogged(listener: (newest: number) => void): () => void;
}

/** Descriptors of two files in memory (terminal-pipes.ts). */
export interface SpoolFiles {
  /** What the terminal has printed. Only the holder writes, at the end. */
  output: number;
  /** How far it is logged: written by the supervisor, read by the next one. */
  position: number;
}

/** How far the output is logged. */
export interface LoggedPosition {
  /** The number of the log's newest line then. */
  newest: number;
  /** Bytes of the output. */
  offset: number;
  /** The bytes before `offset` that belong to a line that had not ended. */
  unfinished: Buffer;
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

/** Newest line, offset and length of the unfinished line, as doubles. */
const HEAD_BYTES = 24;
const LF = 0x0a;

/** Output of this size is removed once it is logged. */
const MOST_KEPT_BYTES = 1024 * 1024;
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
  readonly #buffer: Buffer;
  /** Bytes that were read. */
  #offset: number;
  #loggedSince: number;
  /** The beginning of the first line, from the former supervisor. */
  #begun: Buffer | undefined;
  #unsubscribe: (() => void) | undefined;
  #isReclaiming = false;
  #isClosed = false;

  /** Takes the descriptors over. `buffer` is for all reads. */
  constructor(files: SpoolFiles, buffer: Buffer, options: SpoolOptions) {
    this.#files = files;
    this.#buffer = buffer;
    this.#options = options;
    this.#loggedSince = options.loggedSince ?? 0;
    const found = readPosition(files.position);
    this.#begun = found?.unfinished;
    // Smaller: the former supervisor has emptied it and was killed before it had written that down.
    this.#offset = found && fstatSync(files.output).size >= found.offset ? found.offset : 0;
    if (!found) this.#note(options.log.lineNumber());
    const writer = options.writer();
    if (writer !== undefined) sendSignal(writer, 'SIGCONT'); // the former supervisor may have stopped it
  }

  /** Passes on all that was printed and not yet passed on. Returns the number of bytes. */
  read(): number {
    this.#unsubscribe ??= this.#options.log.onLogged((newest) => this.#note(newest));
    const from = this.#offset;
    if (this.#begun) this.#pass(this.#begun);
    this.#begun = undefined;
    while (!this.#isClosed) {
      const length = readSync(this.#files.output, this.#buffer, 0, this.#buffer.length, this.#offset);
      if (length === 0) break;
      this.#offset += length;
      this.#pass(this.#buffer.subarray(0, length));
    }
    const read = this.#offset - from;
    if (this.#offset > MOST_KEPT_BYTES) void this.#reclaim();
    return read;
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

  #note(newest: number): void {
    const unfinished = this.#options.log.unfinishedLine();
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    head.writeDoubleLE(newest);
    head.writeDoubleLE(this.#offset, 8);
    head.writeDoubleLE(unfinished.length, 16);
    writevSync(this.#files.position, [head, unfinished], 0);
  }

  /** Removes the output, all of which is logged then. Meanwhile the writer is stopped, and with it a game that prints much. */
  async #reclaim(): Promise<void> {
    const { log, writer } = this.#options;
    const pid = this.#isReclaiming ? undefined : writer();
    if (pid === undefined) return;
    this.#isReclaiming = true;
    try {
      if (!(await stop(pid)) || this.#isClosed) return;
      this.read();
      const newest = log.lineNumber();
      this.#note(newest);
      ftruncateSync(this.#files.output);
      this.#offset = 0;
      this.#note(newest);
    } finally {
      sendSignal(pid, 'SIGCONT');
      this.#isReclaiming = false;
    }
  }
}

/** Returns what the former supervisor has written down; `undefined` if there was none. */
export function readPosition(file: number): LoggedPosition | undefined {
  const { size } = fstatSync(file);
  if (size < HEAD_BYTES) return undefined;
  const content = Buffer.alloc(size);
  readSync(file, content, 0, size, 0);
  const length = content.readDoubleLE(16);
  return {
    newest: content.readDoubleLE(),
    offset: content.readDoubleLE(8),
    unfinished: content.subarray(HEAD_BYTES, HEAD_BYTES + length),
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
