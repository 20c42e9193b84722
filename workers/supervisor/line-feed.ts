import stripAnsi from 'strip-ansi';
import { type LogLine, parseLogLine } from './log-prefix.ts';

/** No line that means something to us is longer; what is behind is left out. */
const LONGEST_LINE_BYTES = 4 * 1024;
const NEW_LINE = 0x0a;
const NOTHING = Buffer.alloc(0);

type Listener = (line: LogLine) => void;

/**
 * The game's output as lines, for those who wait for one. Taking lines apart costs more than everything else that happens to a flood,
 * so it is done only while somebody wants every line, or where the bytes hold a text that somebody looks for.
 */
export class LineFeed {
  readonly #all = new Set<Listener>();
  readonly #wanted = new Map<Listener, readonly string[]>();
  #unfinished: Buffer = NOTHING;
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
    const end = chunk.lastIndexOf(NEW_LINE) + 1;
    if (end > 0 && (this.#all.size > 0 || this.#holdsWanted(chunk))) {
      const text = Buffer.concat([this.#unfinished, chunk.subarray(0, end - 1)]).toString();
      for (const line of text.split('\n')) this.#deliver(line);
    }
    if (end > 0) this.#unfinished = NOTHING;
    if (end < chunk.length && this.#unfinished.length < LONGEST_LINE_BYTES) {
      // A copy: the chunk's memory belongs to a larger buffer that would be kept alive.
      this.#unfinished = Buffer.concat([this.#unfinished, chunk.subarray(end)]).subarray(0, LONGEST_LINE_BYTES);
    }
  }

  #holdsWanted(chunk: Buffer): boolean {
    if (this.#wanted.size === 0) return false;
    const seam = Buffer.concat([this.#unfinished, chunk.subarray(0, chunk.indexOf(NEW_LINE))]);
    return [...this.#wanted.values()].flat().some((text) => chunk.includes(text) || seam.includes(text));
  }

  #deliver(raw: string): void {
    const line = parseLogLine(stripAnsi(raw.slice(0, LONGEST_LINE_BYTES)));
    this.#prefixSeen ||= line.prefixed;
    for (const listener of [...this.#all, ...this.#wanted.keys()]) listener(line);
  }
}
