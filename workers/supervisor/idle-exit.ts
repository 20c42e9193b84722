/** How long a supervisor that nobody needs stays (architecture.md: 5 min). */
export const IDLE_EXIT_MS = 5 * 60_000;

export interface IdleExitOptions {
  afterMs: number;
  /** Whether something goes on that needs this process, whoever asks. */
  isNeeded: () => boolean;
  onIdle: () => void;
}

/** Calls `onIdle` once nobody has needed this process for some time. */
export class IdleExit {
  readonly #options: IdleExitOptions;
  #viewers = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleExitOptions) {
    this.#options = options;
    this.touch();
  }

  /** Somebody has just needed it. */
  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#viewers > 0 || this.#options.isNeeded()) this.touch();
      else this.#options.onIdle();
    }, this.#options.afterMs);
    this.#timer.unref();
  }

  /** Somebody looks on until the returned function is called. */
  enter(): () => void {
    this.#viewers += 1;
    return () => {
      this.#viewers -= 1;
      this.touch();
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
