/** The seed of a run with random steps. The variable `SEED` repeats those of an earlier run. NaN: it is not a number. */
export const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
