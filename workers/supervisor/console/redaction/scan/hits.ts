import type { Kind } from '../kinds.ts';
import { EOL, find, is } from './byte-classes.ts';

/** The hits of one scan, as spans of the plain text. Three number arrays rather than objects, because a flood has many. */
export class Hits {
  count = 0;
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  kinds = new Uint8Array(64);
  /** Start and end, in turn, of each line with escapes. These lines are scanned again with the escapes undone. */
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

  /** Notes that the line has an escape at `at`. Returns 0, as a rule that found nothing does. */
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

  kind(index: number): Kind {
    return this.kinds[index]! as Kind;
  }

  /** Returns the end of the latest hit, or -1 if there is none. */
  lastEnd(): number {
    return this.count === 0 ? -1 : this.ends[this.count - 1]!;
  }

  /** Sorts the hits and merges those that overlap. The longest one of them gives its kind. */
  settle(): void {
    for (let i = 1; i < this.count; i++) {
      if (this.starts[i]! < this.ends[i - 1]!) {
        this.#merge();
        return;
      }
    }
  }

  /** Keeps the hits for which `wanted` returns true. */
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
