import type { ReplicaRow } from './replicas.ts';

type Waiting = Pick<ReplicaRow, 'state' | 'error' | 'attempts' | 'backupId' | 'nextAttemptAt'>;

/** No pause is longer, milliseconds. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** Whether that time has come. What lies further ahead than any pause was noted before the clock was set back: nobody waits for that. */
export function isDue(at: number, now: number): boolean {
  return at <= now || at - now > LONGEST_PAUSE_MS;
}

/**
 * What is done next for one store, of what is to be done there at all: of what is due at `now` (milliseconds since the epoch) what has
 * failed least often, so that one that fails again and again holds up none, and of that the oldest. One that was only cut off has not
 * failed, so it goes on.
 */
export function nextTransfer<Row extends Waiting>(rows: readonly Row[], now: number): Row | undefined {
  const due = rows.filter(({ nextAttemptAt }) => nextAttemptAt !== null && isDue(nextAttemptAt, now));
  return due.toSorted((a, b) => failures(a) - failures(b) || (a.backupId < b.backupId ? -1 : 1))[0];
}

/** When to look again for a store that is left alone until `notBefore`; `undefined`: nothing will become due by itself. */
export function nextLook(rows: readonly Waiting[], notBefore: number): number | undefined {
  const times = rows.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [Math.max(nextAttemptAt, notBefore)],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

function failures({ state, error, attempts }: Waiting): number {
  return state === 'failed' || (state === 'removing' && error !== null) ? attempts : 0;
}
