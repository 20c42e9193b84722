import type { SupervisorStats } from '../../../shared/contract/stats.ts';
import { createHistogram } from '../../../shared/domain/histogram.ts';

/** Seconds: from a game that has nothing else to do to the flush of a large world (field-notes 3.1: 72 s). */
const LATENCY_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** What RCON sessions count together, one after the other. */
export type RconTally = SupervisorStats['rcon'];

export function createRconTally(): RconTally {
  return { connections: 0, errors: 0, latency: createHistogram(LATENCY_BOUNDS) };
}
