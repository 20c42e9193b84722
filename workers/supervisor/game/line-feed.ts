import stripAnsi from 'strip-ansi';
import { type LogLine, parseLogLine } from './log-prefix.ts';

/** No line that means something to us is longer; what is behind is left out. */
const LONGEST_LINE_BYTES = 4 * 1024;
const NEW_LINE = 0x0a;

type Listener = (line: LogLine) => void;

/**
 * The game's output as lines, for those who wait for one. Taking lines apart costs more than everything else that happens to a flood,
 * so it is done only while somebody wants every line, or where the bytes hold a text that somebody looks for.
 */
export class LineFeed {
  readonly #all = new Set<Listener>();
  readonly #wanted = new Map<Listener, readonly string[]>();
  /** The beginning of a line whose end has not come yet. */
  readonly #begun = Buffer.allocUnsafe(LONGEST_LINE_BYTES);
  #begunBytes = 0;
  #prefixSeen = false;

  /** Whether this server's lines begin with a log prefix, as far as they were looked at. */
  get prefixSeen(): boolean {
    return this.#prefixSeen;
  }

  /** Calls `listener` for every line from now on. Returns how to stop it. */
  onLine(listener: Listener): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  /** Calls `listener` at least for every line that holds one of the ASCII `texts`. Returns how to stop it. */
  onLineWith(texts: readonly string[], listener: Listener): () => void {
    this.#wanted.set(listener, texts);
    return () => this.#wanted.delete(listener);
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
    const line = parseLogLine(stripAnsi(raw.slice(0, LONGEST_LINE_BYTES)));
    this.#prefixSeen ||= line.prefixed;
    for (const listener of [...this.#all, ...this.#wanted.keys()]) listener(line);
  }
}
