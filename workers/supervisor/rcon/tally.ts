import type { SupervisorStats } from '../../../shared/contract/stats.ts';
import { createHistogram } from '../../../shared/domain/histogram.ts';

/** In seconds, from an idle server to the flush of a large world (72 s in itzg/docker-mc-backup#220). */
const LATENCY_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Totals of all RCON sessions of a supervisor. */
export type RconTally = SupervisorStats['rcon'];

export function createRconTally(): RconTally {
  return { connections: 0, errors: 0, latency: createHistogram(LATENCY_BOUNDS) };
}
