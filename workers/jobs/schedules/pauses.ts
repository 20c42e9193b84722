import type { Logger } from '../../../shared/node/logger.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import type { Peers } from '../resources/peers.ts';
import { whyPaused } from './owner-rights.ts';
import type { Performer } from './perform.ts';
import type { RunTable } from './run-table.ts';
import type { ScheduleTable, StoredSchedule } from './schedule-table.ts';

/** Nothing announces that a token has expired. Milliseconds. */
const LOOK_EVERY_MS = 60_000;

export interface PausesOptions {
  table: ScheduleTable;
  runs: RunTable;
  performer: Pick<Performer, 'note' | 'callOff'>;
  peers: Peers;
  log: Logger;
}

/**
 * Records each pause once, in the history and the audit trail, when an owner's token, account or rights end, and cancels the countdown that
 * is under way. It only reports: whether a schedule may run is checked when it is due. Resolves when `signal` fires.
 */
export async function watchPauses(options: PausesOptions, signal: AbortSignal): Promise<void> {
  const { table, peers, log } = options;
  const mutex = createMutex();

  async function look(): Promise<void> {
    for (const schedule of table.all().filter(({ definition }) => definition.enabled)) {
      const pause = await whyPaused(schedule, peers.daemon);
      if (pause && !signal.aborted) await report(schedule, pause.text, options);
    }
  }

  const lookInTurn = () =>
    mutex.run(look).catch((error: unknown) => log.warn({ err: error }, 'could not check who saved the schedules'));
  const timer = setInterval(lookInTurn, LOOK_EVERY_MS).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  const events = peers.daemon.watchCredentials(undefined, { signal });
  await lookInTurn();
  for await (const { type } of events) if (type !== 'session-ended') await lookInTurn();
}

async function report(
  schedule: StoredSchedule,
  reason: string,
  { runs, performer, peers, log }: PausesOptions,
): Promise<void> {
  const { instanceId, savedAt, definition } = schedule;
  const scheduleId = definition.id;
  const last = runs.of(instanceId).find((run) => run.scheduleId === scheduleId);
  if (last?.reason === reason && last.startedAt >= savedAt) return;
  performer.callOff({ instanceId, scheduleId }, reason);
  performer.note(schedule, Date.now(), { result: 'paused', reason });
  log.warn({ instance: instanceId, schedule: scheduleId, reason }, 'a schedule is paused');
  await peers.daemon.audit({
    at: new Date().toISOString(),
    who: 'schedules',
    from: 'gamekeeper',
    method: 'PAUSE',
    path: `/instances/${instanceId}/schedules/${scheduleId}`,
    instance: instanceId,
    status: 200,
    requestId: `pause-${scheduleId}`,
  });
}
