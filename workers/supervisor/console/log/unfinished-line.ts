/** A line that stays unfinished for this long is a prompt or a progress bar, and is shown. */
const UNFINISHED_MS = 50;

export interface UnfinishedLineOptions {
  /** Whether anybody would see it. */
  isWatched: () => boolean;
  /** Returns what may be shown of the unfinished line now. */
  read: () => Buffer;
  /** Shows it to all viewers, in the place of what they were shown before. */
  show: (text: Buffer) => void;
}

/** Keeps viewers up to date with a line that has not ended yet. */
export class UnfinishedLine {
  readonly #options: UnfinishedLineOptions;
  #shown: Buffer = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UnfinishedLineOptions) {
    this.#options = options;
  }

  /** Shows the line in a moment if it differs by then from what viewers see. */
  showSoon(): void {
    if (this.#options.isWatched()) this.#timer ??= setTimeout(() => this.#update(), UNFINISHED_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Viewers do not see it any more, or not all of them. */
  forget(): void {
    this.#shown = Buffer.alloc(0);
  }

  #update(): void {
    this.#timer = undefined;
    const text = this.#options.read();
    if (text.equals(this.#shown)) return;
    this.#shown = text;
    this.#options.show(text);
  }
}
