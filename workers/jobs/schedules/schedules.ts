import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../../shared/node/logger.ts';
import type { JobsMark } from '../resources/jobs-mark.ts';
import type { Peers } from '../resources/peers.ts';
import type { ActionParts } from './actions.ts';
import { forgetRemoved } from './forget-removed.ts';
import { createPerformer } from './perform.ts';
import { openRunTable, type RunTable } from './run-table.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { openScheduleTable } from './schedule-table.ts';
import { startScheduler } from './scheduler.ts';

export interface ScheduleParts {
  database: DatabaseSync;
  peers: Peers;
  backups: ActionParts['backups'];
  mark: JobsMark;
  log: Logger;
  now(): Date;
  randomHex(digits: number): string;
}

/** What a full disk has kept from being put on record is tried again after so long. Milliseconds. */
const RETRY_MS = 30_000;

/** Opens what was saved, ends what was cut off, and goes on from there. */
export function startSchedules(parts: ScheduleParts) {
  const table = openScheduleTable(parts.database);
  const runs = openRunTable(parts.database);
  const ending = new AbortController();
  endCutOff(runs, ending.signal, parts);
  const performer = createPerformer({ ...parts, runs });
  const onWanted = (wanted: boolean) => void parts.mark.set(wanted);
  const scheduler = startScheduler({ ...parts, table, performer, onWanted });
  forgetRemoved(parts.peers.daemon.watchInstances(undefined, { signal: ending.signal }), {
    table,
    runs,
    onForgotten: scheduler.wake,
  }).catch((error: unknown) => parts.log.debug({ err: error }, 'no longer following instances'));
  return {
    calls: scheduleCalls({ ...parts, table, runs, performer, scheduler }),
    /** Begins nothing more, and resolves when all runs are on record. */
    async close(): Promise<void> {
      ending.abort();
      scheduler.stop();
      await performer.close();
    },
  };
}

/** Tries until it is done, or `signal` fires: neither what is due nor anything else waits for it. */
function endCutOff(runs: RunTable, signal: AbortSignal, parts: Pick<ScheduleParts, 'now' | 'log'>): void {
  if (signal.aborted) return;
  try {
    runs.endCutOff(parts.now().toISOString());
  } catch (error) {
    parts.log.error({ err: error }, 'runs that were cut off could not be put on record');
    setTimeout(endCutOff, RETRY_MS, runs, signal, parts).unref();
  }
}
