import type { Logger } from '../../../shared/node/logger.ts';
import { type CronTime, latestRun, nextRuns } from './cron.ts';
import { correctForClock, judgeDue } from './due.ts';
import type { Performer } from './perform.ts';
import type { ScheduleTable, StoredSchedule } from './schedule-table.ts';

/** How soon a changed clock, or the end of a sleep of the machine, is noticed. Milliseconds. */
const LOOK_EVERY_MS = 30_000;
/** How soon a time that does not come within the years that are searched is looked for again. Milliseconds. */
const SEARCH_AGAIN_MS = 86_400_000;

export interface SchedulerOptions {
  table: ScheduleTable;
  performer: Performer;
  /** The machine's clock, which may be set. */
  now(): Date;
  /** Called with whether there is any enabled schedule. */
  onWanted(wanted: boolean): void;
  log: Logger;
}

export interface Scheduler {
  /** Call this when schedules have changed. */
  wake(): void;
  stop(): void;
}

/**
 * Starts runs that are due, and records missed ones. Anything that cannot be recorded, for example on a full disk, is retried at the next
 * check.
 */
export function startScheduler({ table, performer, now, onWanted, log }: SchedulerOptions): Scheduler {
  /** When to check each schedule next, by its time, since computing that costs up to milliseconds. */
  const looks = new Map<string, number>();
  let lastLook = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const at = now().getTime();
    let next = at + LOOK_EVERY_MS;
    try {
      next = lookAt(at);
    } catch (error) {
      log.error({ err: error }, 'could not read the schedules');
    }
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(0, next - at));
  }

  function lookAt(at: number): number {
    // The clock was set back: the computed times no longer apply.
    if (at < lastLook) looks.clear();
    lastLook = at;
    const enabled = table.all().filter(({ definition }) => definition.enabled);
    onWanted(enabled.length > 0);
    let next = at + LOOK_EVERY_MS;
    const keys = new Set(enabled.map(keyOf));
    for (const key of looks.keys()) if (!keys.has(key)) looks.delete(key);
    for (const schedule of enabled) {
      const key = keyOf(schedule);
      if ((looks.get(key) ?? 0) <= at) {
        try {
          consider(schedule, at);
          looks.set(key, whenNext(schedule.definition, at));
        } catch (error) {
          // Not started: a run that is not recorded would be repeated.
          log.error({ err: error, instance: schedule.instanceId }, 'could not check a schedule');
          looks.delete(key);
        }
      }
      next = Math.min(next, looks.get(key) ?? next);
    }
    return next;
  }

  function consider(schedule: StoredSchedule, at: number): void {
    const { definition, instanceId } = schedule;
    const key = { instanceId, scheduleId: definition.id };
    const consideredAt = correctForClock(schedule.consideredAt, at);
    const latest = latestRun(definition, new Date(at))?.getTime();
    const verdict = judgeDue({ latest, consideredAt, now: at, missed: definition.missed });
    if (verdict !== 'nothing' || consideredAt !== schedule.consideredAt) table.setConsidered(key, at);
    if (latest === undefined) return;
    if (verdict === 'run') void performer.perform(schedule, latest);
    if (verdict === 'missed')
      performer.note(schedule, latest, { result: 'missed', reason: 'Gamekeeper was not running at that time.' });
  }

  look();
  return {
    wake: look,
    stop: () => clearTimeout(timer),
  };
}

function keyOf({ instanceId, definition: { id, cron, timeZone } }: StoredSchedule): string {
  return `${instanceId} ${id} ${timeZone} ${cron}`;
}

function whenNext(time: CronTime, at: number): number {
  return nextRuns(time, new Date(at), 1)[0]?.getTime() ?? at + SEARCH_AGAIN_MS;
}
