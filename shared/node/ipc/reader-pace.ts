/** The slowest reader that is waited for. */
export interface SlowestPace {
  bytes: number;
  /** Counted only while the reader is being waited for. */
  milliseconds: number;
}

/** 64 KiB/s, averaged over a minute: a reader holds a place that others wait for, and maybe a thread and a lock on the server's folder. */
export const SLOWEST_PACE: SlowestPace = { bytes: 64 * 1024 * 60, milliseconds: 60_000 };

/**
 * Watches how fast a reader takes what is sent, in windows of `milliseconds` in which something was waiting for the reader. Time in which
 * there is nothing to send does not count. Calls `onTooSlow` once if fewer than `bytes` were taken in a window.
 */
export class ReaderPace {
  readonly #slowest: SlowestPace;
  readonly #onTooSlow: () => void;
  #waitedMs = 0;
  #taken = 0;
  #waitingSince = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(slowest: SlowestPace, onTooSlow: () => void) {
    this.#slowest = slowest;
    this.#onTooSlow = onTooSlow;
  }

  /** Something is being sent. */
  waiting(): void {
    this.#waitingSince = performance.now();
    this.#timer = setTimeout(this.#onTooSlow, Math.max(0, this.#slowest.milliseconds - this.#waitedMs));
  }

  /** The reader has taken it. */
  took(bytes: number): void {
    clearTimeout(this.#timer);
    this.#waitedMs += performance.now() - this.#waitingSince;
    this.#taken += bytes;
    // Enough for this window: the next one begins.
    if (this.#taken >= this.#slowest.bytes) this.#waitedMs = this.#taken = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
