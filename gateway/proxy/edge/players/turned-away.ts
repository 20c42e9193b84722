import type { Away } from './answer-away.ts';

/** Why somebody was not let in: as told to players, or silently. */
export type Refusal = Away | 'unknown' | 'limited' | 'no-handshake';

/** Counts who was not let in, by reason. */
export interface TurnedAway {
  count(reason: Refusal): void;
  entries(): [Refusal, number][];
}

export function createTurnedAway(): TurnedAway {
  const counts = new Map<Refusal, number>();
  return {
    count: (reason) => void counts.set(reason, (counts.get(reason) ?? 0) + 1),
    entries: () => [...counts],
  };
}
