import { readFileSync } from 'node:fs';

/** So long ago at most, and half that at least, was the count that an end is compared with. Milliseconds. */
const LOOK_BACK_MS = 4_000;

/** Tells whether the kernel has killed processes for want of memory just now, and not at some time in the weeks that a server runs. */
export class OutOfMemoryWatch {
  readonly #count: () => number;
  readonly #timer: NodeJS.Timeout;
  #last: number;
  /** The last look may come between a kill and the news of it. */
  #lastButOne: number;

  /** @param count how many have been killed so far */
  constructor(count = countOutOfMemoryKills) {
    this.#count = count;
    this.#last = count();
    this.#lastButOne = this.#last;
    this.#timer = setInterval(() => this.look(), LOOK_BACK_MS / 2).unref();
  }

  look(): void {
    this.#lastButOne = this.#last;
    this.#last = this.#count();
  }

  /** Whether there were any just now. Ends the watch. */
  end(): boolean {
    clearInterval(this.#timer);
    return this.#count() > this.#lastButOne;
  }
}

/**
 * How many processes the kernel has killed for want of memory since the machine was started (`oom_kill` of /proc/vmstat, Linux 4.13);
 * 0 where it cannot be known.
 */
function countOutOfMemoryKills(): number {
  if (process.platform !== 'linux') return 0;
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // a sandbox that hides it
  }
}
