import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../../shared/node/logger.ts';
import type { JobsMark } from '../backups/jobs-mark.ts';
import type { Peers } from '../peers.ts';
import type { ActionParts } from './actions.ts';
import { forgetRemoved } from './forget-removed.ts';
import { createPerformer } from './perform.ts';
import { openRunTable } from './run-table.ts';
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

/** Opens what was saved, ends what was cut off, and goes on from there. */
export function startSchedules(parts: ScheduleParts) {
  const table = openScheduleTable(parts.database);
  const runs = openRunTable(parts.database);
  runs.endCutOff(parts.now().toISOString());
  const performer = createPerformer({ ...parts, runs });
  const onWanted = (wanted: boolean) => void parts.mark.set(wanted);
  const scheduler = startScheduler({ ...parts, table, performer, onWanted });
  const ending = new AbortController();
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
