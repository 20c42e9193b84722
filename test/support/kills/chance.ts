/** Random numbers that a seed reproduces. */
export interface Chance {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

/** Lehmer's generator (Park and Miller, CACM 31:10). */
export function chanceFrom(seed: number): Chance {
  const modulus = 2_147_483_647;
  let state = (Math.abs(Math.trunc(seed)) % (modulus - 1)) + 1;
  const next = () => {
    state = (state * 48_271) % modulus;
    return (state - 1) / (modulus - 1);
  };
  const chance: Chance = {
    below: (limit) => Math.floor(next() * limit),
    pick: (items) => items[chance.below(items.length)]!,
    shuffled(items) {
      const left = [...items];
      return items.map(() => left.splice(chance.below(left.length), 1)[0]!);
    },
  };
  return chance;
}
