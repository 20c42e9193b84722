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
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleExitOptions) {
    this.#options = options;
    this.touch();
  }

  /** Somebody has just needed it. */
  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => (this.#options.isNeeded() ? this.touch() : this.#options.onIdle()),
      this.#options.afterMs,
    );
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
