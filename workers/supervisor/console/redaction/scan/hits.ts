import type { Kind } from '../kinds.ts';
import { EOL, find, is } from './byte-classes.ts';

/** The finds of one scan: spans of the plain text, kept in three number arrays because a flood has many of them. */
export class Hits {
  count = 0;
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  kinds = new Uint8Array(64);
  /** Where lines begin and end that have escapes, in turn: they want a second look. */
  readonly escaped: number[] = [];

  add(start: number, end: number, kind: Kind): void {
    if (this.count === this.starts.length) {
      this.#grow();
    }
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.kinds[this.count] = kind;
    this.count++;
  }

  clear(): void {
    this.count = 0;
    this.escaped.length = 0;
  }

  /** Notes that an escape stands at `at`. Answers 0, as rules do. */
  noteEscape(text: Uint8Array, at: number): 0 {
    if (at >= (this.escaped.at(-1) ?? 0)) {
      let start = at;
      while (!is(text[start - 1]!, EOL)) {
        start--;
      }
      this.escaped.push(start, find(text, at, EOL));
    }
    return 0;
  }

  /** The find at `index`. */
  kind(index: number): Kind {
    return this.kinds[index]! as Kind;
  }

  /** Where the latest find ends, or -1. */
  lastEnd(): number {
    return this.count === 0 ? -1 : this.ends[this.count - 1]!;
  }

  /** Puts the finds in order and makes one of those that overlap: the longer one names it. */
  settle(): void {
    for (let i = 1; i < this.count; i++) {
      if (this.starts[i]! < this.ends[i - 1]!) {
        this.#merge();
        return;
      }
    }
  }

  /** Keeps the finds that `wanted` approves of. */
  filter(wanted: (start: number, end: number, kind: Kind) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (wanted(this.starts[i]!, this.ends[i]!, this.kind(i))) {
        this.starts[kept] = this.starts[i]!;
        this.ends[kept] = this.ends[i]!;
        this.kinds[kept] = this.kinds[i]!;
        kept++;
      }
    }
    this.count = kept;
  }

  #merge(): void {
    const found = Array.from({ length: this.count }, (_, i) => ({
      start: this.starts[i]!,
      end: this.ends[i]!,
      kind: this.kind(i),
    }));
    found.sort((a, b) => a.start - b.start || b.end - a.end || a.kind - b.kind);
    this.clear();
    let longest = 0;
    for (const { start, end, kind } of found) {
      const last = this.count - 1;
      if (last < 0 || start >= this.ends[last]!) {
        this.add(start, end, kind);
        longest = end - start;
        continue;
      }
      this.ends[last] = Math.max(this.ends[last]!, end);
      if (end - start > longest) {
        this.kinds[last] = kind;
        longest = end - start;
      }
    }
  }

  #grow(): void {
    const wider = this.count * 2;
    const { starts, ends, kinds } = this;
    this.starts = new Int32Array(wider);
    this.starts.set(starts);
    this.ends = new Int32Array(wider);
    this.ends.set(ends);
    this.kinds = new Uint8Array(wider);
    this.kinds.set(kinds);
  }
}
