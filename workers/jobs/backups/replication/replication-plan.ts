import type { ReplicaRow } from './replicas.ts';

type Waiting = Pick<ReplicaRow, 'state' | 'error' | 'attempts' | 'backupId' | 'nextAttemptAt'>;

/** The longest pause between two attempts, milliseconds. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** Error of a copy whose store was removed from the settings. It is stored with the copy and compared later: never change it. */
export const UNCONFIGURED = 'The store is not in the settings any more.';

/**
 * Returns true if `at` has come. A time that is further ahead than the longest pause was set before the clock was set back, and counts as
 * due.
 */
export function isDue(at: number, now: number): boolean {
  return at <= now || at - now > LONGEST_PAUSE_MS;
}

/**
 * Returns what to do next in one store. Of everything due at `now` (milliseconds since the epoch), the one that failed least often comes
 * first, so that repeated failures do not hold up anything else; then the oldest. An interrupted attempt does not count as a failure.
 */
export function nextTransfer<Row extends Waiting>(rows: readonly Row[], now: number): Row | undefined {
  const due = rows.filter(({ nextAttemptAt }) => nextAttemptAt !== null && isDue(nextAttemptAt, now));
  return due.toSorted((a, b) => failures(a) - failures(b) || (a.backupId < b.backupId ? -1 : 1))[0];
}

/** Returns when something becomes due in a store that must be left alone until `notBefore`; `undefined`: never. */
export function nextLook(rows: readonly Waiting[], notBefore: number): number | undefined {
  const times = rows.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [Math.max(nextAttemptAt, notBefore)],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

function failures({ state, error, attempts }: Waiting): number {
  return state === 'failed' || (state === 'removing' && error !== null) ? attempts : 0;
}
