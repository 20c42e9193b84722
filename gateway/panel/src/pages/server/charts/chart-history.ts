import type { Schemas } from '../../../api/transport/client.ts';

export type History = Schemas['History'];
export type HistoryEvent = History['events'][number];

/** Returns an ISO time as charts count time: in seconds since the epoch. */
export function secondsOf(at: string): number {
  return Date.parse(at) / 1_000;
}
