/**
 * In UTF-16 units. More than 1,000 ordinary lines, which is the most that a caller may request, and little enough to decode and send without
 * making the console wait: a line may have 64 KiB.
 */
const MOST_TEXT = 1024 * 1024;

/** Returns the last lines: at most `limit`, and as many as have `mostText` UTF-16 units in total, but at least one. */
export function newestLines(lines: readonly string[], limit: number, mostText = MOST_TEXT): string[] {
  let from = lines.length;
  let text = 0;
  while (from > 0 && lines.length - from < limit) {
    text += lines[from - 1]!.length;
    if (text > mostText && from < lines.length) break;
    from--;
  }
  return lines.slice(from);
}

/** Collects the newest lines, as many as `newestLines` keeps. */
export class NewestLines {
  readonly #limit: number;
  #lines: string[] = [];
  #isFull = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** True if older lines would not be kept. */
  get isFull(): boolean {
    return this.#isFull;
  }

  addNewer(lines: readonly string[]): void {
    this.#keep([...this.#lines, ...lines]);
  }

  /** Adds the newest lines before the ones that are here. */
  addOlder({ lines, isFull }: NewestLines): void {
    this.#keep([...lines, ...this.#lines]);
    this.#isFull ||= isFull;
  }

  #keep(lines: string[]): void {
    this.#lines = newestLines(lines, this.#limit);
    this.#isFull ||= this.#lines.length < lines.length || this.#lines.length === this.#limit;
  }
}
