import type { DatabaseSync } from 'node:sqlite';
import type { InstanceEvent } from '../../../shared/contract/daemon/instances.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { JobsMark } from '../resources/jobs-mark.ts';
import type { Peers } from '../resources/peers.ts';
import type { BackupActions } from './actions.ts';
import { watchPauses } from './pauses.ts';
import { createPerformer } from './perform.ts';
import { createRunTable, type RunTable } from './run-table.ts';
import { createScheduleCalls, type ScheduleCalls } from './schedule-calls.ts';
import { createScheduleTable, type ScheduleTable } from './schedule-table.ts';
import { startScheduler } from './scheduler.ts';

export interface SchedulesOptions {
  database: DatabaseSync;
  peers: Peers;
  backups: BackupActions;
  /** Set while there are schedules, so the next daemon starts this process. */
  mark: JobsMark;
  log: Logger;
}

export interface Schedules {
  calls: ScheduleCalls;
  /** Starts nothing more, and resolves when all runs are recorded. */
  close(): Promise<void>;
}

/** Wait before another attempt to write what a full disk has refused. Milliseconds. */
const RETRY_MS = 30_000;

/** Opens the schedules, records interrupted runs as failed, and starts what is due. */
export function startSchedules({ database, peers, backups, mark, log }: SchedulesOptions): Schedules {
  const table = createScheduleTable(database);
  const runs = createRunTable(database);
  const ending = new AbortController();
  endInterrupted(runs, { signal: ending.signal, log });
  const performer = createPerformer({ runs, peers, backups, log });
  const onWanted = (wanted: boolean) => void mark.set(wanted);
  const scheduler = startScheduler({ table, performer, now: () => new Date(), onWanted, log });
  const events = peers.daemon.watchInstances(undefined, { signal: ending.signal });
  forgetRemoved(events, { table, runs, onForgotten: scheduler.wake }).catch((error: unknown) =>
    log.debug({ err: error }, 'no longer watching instances'),
  );
  watchPauses({ table, runs, performer, peers, log }, ending.signal).catch((error: unknown) =>
    log.debug({ err: error }, 'no longer watching credentials'),
  );
  return {
    calls: createScheduleCalls({ table, runs, performer, scheduler, peers }),
    async close() {
      ending.abort();
      scheduler.stop();
      await performer.close();
    },
  };
}

/** Records interrupted runs as failed. Retries until it succeeds or `signal` fires; nothing waits for it. */
function endInterrupted(runs: RunTable, { signal, log }: { signal: AbortSignal; log: Logger }): void {
  if (signal.aborted) return;
  try {
    runs.endInterrupted(new Date().toISOString());
  } catch (error) {
    log.error({ err: error }, 'could not record interrupted runs of schedules');
    setTimeout(endInterrupted, RETRY_MS, runs, { signal, log }).unref();
  }
}

/** Removes the schedules of deleted instances, also of those that were deleted while this process did not run. */
async function forgetRemoved(
  events: AsyncIterable<InstanceEvent>,
  { table, runs, onForgotten }: { table: ScheduleTable; runs: RunTable; onForgotten: () => void },
): Promise<void> {
  function forget(instanceId: string): void {
    table.replace(instanceId, []);
    runs.forget(instanceId);
    onForgotten();
  }

  for await (const event of events) {
    if (event.type === 'removed') forget(event.id);
    if (event.type !== 'snapshot') continue;
    const since = new Map(event.instances.map(({ config }) => [config.id, config.createdAt]));
    for (const { instanceId, instanceSince } of table.all())
      if (since.get(instanceId) !== instanceSince) forget(instanceId);
  }
}
