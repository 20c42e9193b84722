import stripAnsi from 'strip-ansi';
import { plainText, withoutReturns } from '../console/terminal/plain-text.ts';
import { type LogLine, parseLogLine } from './log-prefix.ts';

/** No line that we look for is longer. The rest of a longer line is dropped. */
const LONGEST_LINE_BYTES = 4 * 1024;
const NEW_LINE = 0x0a;

/** Moves the cursor or erases, as line editors do over their prompt: any control but a tab and colours. */
const DRAWN = /[\0-\x08\x0b-\x1a\x1c-\x1f\x7f]|\x1b(?!\[[\d;:]*m)/;

type Listener = (line: LogLine) => void;

/**
 * The game's output as lines, for listeners. Parsing costs more than all other work on a flood of output, so it happens only while a
 * listener wants every line, or if the bytes contain a text that a listener looks for.
 */
export class LineFeed {
  readonly #all = new Set<Listener>();
  readonly #wanted = new Map<Listener, readonly string[]>();
  readonly #begun = Buffer.allocUnsafe(LONGEST_LINE_BYTES);
  #begunBytes = 0;
  #prefixSeen = false;
  readonly #logPrefix: RegExp | undefined;

  /** `logPrefix`: as in `parseLogLine`. */
  constructor(logPrefix?: RegExp) {
    this.#logPrefix = logPrefix;
  }

  /** True once a parsed line of this server had a log prefix. */
  get prefixSeen(): boolean {
    return this.#prefixSeen;
  }

  /** Calls `listener` for every line from now on. Returns a function that removes it. */
  onLine(listener: Listener): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  /** Calls `listener` for every line that contains one of the ASCII `texts`, and maybe others. Returns a function that removes it. */
  onLineWith(texts: readonly string[], listener: Listener): () => void {
    this.#wanted.set(listener, texts);
    return () => this.#wanted.delete(listener);
  }

  /** Notes whether lines of this server that were printed before had a log prefix. */
  learnFrom(lines: readonly string[]): void {
    this.#prefixSeen ||= lines.some((line) => parseLogLine(line, this.#logPrefix).prefixed);
  }

  push(chunk: Buffer): void {
    const lastEnd = chunk.lastIndexOf(NEW_LINE);
    if (lastEnd < 0) {
      this.#begin(chunk);
      return;
    }
    const firstEnd = chunk.indexOf(NEW_LINE);
    this.#begin(chunk.subarray(0, firstEnd));
    const first = this.#begun.subarray(0, this.#begunBytes);
    if (this.#all.size > 0 || this.#isWanted(first) || this.#isWanted(chunk)) {
      this.#deliver(first.toString());
      if (lastEnd > firstEnd) {
        for (const line of chunk.toString('utf8', firstEnd + 1, lastEnd).split('\n')) this.#deliver(line);
      }
    }
    this.#begunBytes = 0;
    this.#begin(chunk.subarray(lastEnd + 1));
  }

  #begin(bytes: Buffer): void {
    this.#begunBytes += bytes.copy(this.#begun, this.#begunBytes);
  }

  #isWanted(bytes: Buffer): boolean {
    for (const texts of this.#wanted.values()) {
      for (const text of texts) if (bytes.includes(text)) return true;
    }
    return false;
  }

  #deliver(raw: string): void {
    const text = withoutReturns(raw.slice(0, LONGEST_LINE_BYTES));
    const line = parseLogLine(DRAWN.test(text) ? plainText(text) : stripAnsi(text), this.#logPrefix);
    this.#prefixSeen ||= line.prefixed;
    for (const listener of [...this.#all, ...this.#wanted.keys()]) listener(line);
  }
}
