import { readFileSync } from 'node:fs';

/** At the end of a process, the count is compared with one that is at most this old, and at least half as old. Milliseconds. */
const LOOK_BACK_MS = 4_000;

/** Detects whether the kernel killed processes just now because memory ran out, as opposed to weeks ago while the server ran. */
export class OutOfMemoryWatch {
  readonly #count: () => number;
  readonly #timer: NodeJS.Timeout;
  #last: number;
  /** The last count may have been taken between a kill and its notification. */
  #lastButOne: number;

  /** `count` returns how many processes were killed so far. */
  constructor(count = countOutOfMemoryKills) {
    this.#count = count;
    this.#last = count();
    this.#lastButOne = this.#last;
    this.#timer = setInterval(() => this.check(), LOOK_BACK_MS / 2).unref();
  }

  check(): void {
    this.#lastButOne = this.#last;
    this.#last = this.#count();
  }

  /** Ends the watch. Returns true if processes were killed just now. */
  end(): boolean {
    clearInterval(this.#timer);
    return this.#count() > this.#lastButOne;
  }
}

/** Returns how many processes the kernel killed since boot because memory ran out (`oom_kill` in /proc/vmstat, Linux 4.13); 0 if unknown. */
function countOutOfMemoryKills(): number {
  if (process.platform !== 'linux') return 0;
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // hidden by a sandbox
  }
}
