const DONE = 0;
const TOTAL = 1;

/** Two counters in shared memory: a thread counts, and the jobs process reads them at any time, without messages. */
export class Progress {
  readonly memory: SharedArrayBuffer;
  readonly #counters: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#counters = new BigInt64Array(memory);
  }

  expect(bytes: number): void {
    Atomics.add(this.#counters, TOTAL, BigInt(bytes));
  }

  advance(bytes: number): void {
    Atomics.add(this.#counters, DONE, BigInt(bytes));
  }

  get done(): number {
    return Number(Atomics.load(this.#counters, DONE));
  }

  get total(): number {
    return Number(Atomics.load(this.#counters, TOTAL));
  }
}
