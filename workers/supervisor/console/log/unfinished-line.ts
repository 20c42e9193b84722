/** A line that is still unfinished after this time is shown: it is a prompt or a progress bar. */
const UNFINISHED_MS = 50;

export interface UnfinishedLineOptions {
  /** Returns whether there are viewers. */
  isWatched: () => boolean;
  /** Returns the part of the line that may be shown. */
  read: () => Buffer;
  /** Replaces what viewers see of the line. */
  show: (text: Buffer) => void;
}

/** Shows viewers the line that has not ended yet. */
export class UnfinishedLine {
  readonly #options: UnfinishedLineOptions;
  #shown: Buffer = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UnfinishedLineOptions) {
    this.#options = options;
  }

  /** Updates the viewers after a moment, if the line then differs from what they see. */
  showSoon(): void {
    if (this.#options.isWatched()) this.#timer ??= setTimeout(() => this.#update(), UNFINISHED_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Notes that viewers, or some of them, no longer see the line. */
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
