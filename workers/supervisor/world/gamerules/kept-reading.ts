import type { Gamerule } from '../../../../shared/schema/gamerules.ts';
import type { GameProcess } from '../../game/game-process.ts';

interface Reading {
  game: GameProcess;
  rules: Promise<Gamerule[]>;
  /** By `performance.now()`. */
  keptUntil: number;
}

/** The last reading of the game rules. It takes about twenty commands, so those who ask meanwhile or soon afterwards share it. */
export class KeptReading {
  readonly #keepMs: number;
  #last: Reading | undefined;

  constructor({ keepMs }: { keepMs: number }) {
    this.#keepMs = keepMs;
  }

  /** Returns the last reading of this game, or reads again. A reading that fails is not kept. */
  of(game: GameProcess, read: () => Promise<Gamerule[]>): Promise<Gamerule[]> {
    const last = this.#last;
    if (last?.game === game && performance.now() < last.keptUntil) return last.rules;
    const reading: Reading = { game, rules: read(), keptUntil: Number.POSITIVE_INFINITY };
    this.#last = reading;
    reading.rules.then(
      () => {
        reading.keptUntil = performance.now() + this.#keepMs;
      },
      () => {
        reading.keptUntil = 0;
      },
    );
    return reading.rules;
  }

  /** Makes the next call of `of` read again. */
  forget(): void {
    this.#last = undefined;
  }
}
