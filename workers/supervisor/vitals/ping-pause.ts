import type { ListPingFailure } from '../../../shared/node/list-ping/list-ping-error.ts';

/** The longest pause for a game that has never answered, milliseconds. */
const LONGEST_PAUSE_MS = 60_000;
/** How many pings a new game may leave unanswered before the pauses grow. */
const FIRST_PINGS = 3;
/** A game that has left so many unanswered, over about four minutes, does not know this ping, and may log each. */
const MOST_UNANSWERED = 10;
/** Answers in another protocol that show the same. */
const MOST_MALFORMED = 3;

/** What the pings of one run have come to so far. */
export interface PingTally {
  hasAnswered: boolean;
  /** Failures since the last answer. */
  failures: readonly ListPingFailure[];
}

/** Returns the pause before the next ping in milliseconds, or `undefined` if the game does not know this ping and is left alone. */
export function pingPause({ hasAnswered, failures }: PingTally, everyMs: number): number | undefined {
  if (hasAnswered) return everyMs;
  const malformed = failures.filter((failure) => failure === 'malformed').length;
  if (failures.length >= MOST_UNANSWERED || malformed >= MOST_MALFORMED) return undefined;
  const doublings = Math.max(0, failures.length - FIRST_PINGS);
  return Math.max(everyMs, Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** doublings));
}
