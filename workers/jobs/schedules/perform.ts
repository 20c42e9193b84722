import { once } from 'node:events';
import { GamekeeperError, toCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { ScheduleRun } from '../../../shared/schema/schedule.ts';
import { type ActionOptions, act } from './actions.ts';
import { whySkipped } from './condition.ts';
import { whyPaused } from './owner-rights.ts';
import type { RunTable } from './run-table.ts';
import type { ScheduleKey, StoredSchedule } from './schedule-table.ts';

export interface PerformerOptions extends ActionOptions {
  runs: RunTable;
  log: Logger;
}

/** Carries out the runs of schedules, and records their results. */
export interface Performer {
  /** Never rejects. */
  perform(schedule: StoredSchedule, plannedAt: number): Promise<void>;
  /** Records a run that did not take place. Never throws. */
  note(schedule: StoredSchedule, plannedAt: number, verdict: Pick<ScheduleRun, 'result' | 'reason'>): void;
  /** Cancels a countdown, with the reason for the history. Other work of the schedule continues. */
  callOff(key: ScheduleKey, reason: string): void;
  close(): Promise<void>;
}

const NOT_ON_RECORD = 'could not record a run';

export function createPerformer(options: PerformerOptions): Performer {
  const { runs, peers, log } = options;
  const ending = new AbortController();
  const busy = new Set<string>();
  const countdowns = new Map<string, AbortController>();
  const atWork = new Set<Promise<void>>();
  /** The last run of each instance and time. Runs due at the same time take turns, in the order of the schedules. */
  const turns = new Map<string, Promise<void>>();

  function runOf({ definition: { id, name, action } }: StoredSchedule, plannedAt: number): ScheduleRun {
    return {
      scheduleId: id,
      name,
      action: action.type,
      plannedAt: new Date(plannedAt).toISOString(),
      startedAt: new Date().toISOString(),
      result: 'running',
    };
  }

  const ended = (run: ScheduleRun, how: Partial<ScheduleRun>): ScheduleRun => ({
    ...run,
    ...how,
    endedAt: new Date().toISOString(),
  });

  function note(
    schedule: StoredSchedule,
    plannedAt: number,
    { result, reason }: Pick<ScheduleRun, 'result' | 'reason'>,
  ): void {
    const run = runOf(schedule, plannedAt);
    try {
      runs.add(schedule.instanceId, ended(run, { result, ...(reason !== undefined && { reason }) }));
    } catch (error) {
      // Most likely the disk is full. Only the note is lost.
      log.error({ err: error, instance: schedule.instanceId }, NOT_ON_RECORD);
    }
  }

  async function carryOut(schedule: StoredSchedule, plannedAt: number, before: Promise<void> | undefined) {
    const { instanceId } = schedule;
    const run = runOf(schedule, plannedAt);
    // Recorded before anything is done, so an interrupted run is not repeated.
    const number = runs.add(instanceId, run);
    const end = (how: Partial<ScheduleRun>) => runs.end(number, instanceId, ended(run, how));
    const key = keyText({ instanceId, scheduleId: schedule.definition.id });
    const calledOff = new AbortController();
    countdowns.set(key, calledOff);
    try {
      if (before) await Promise.race([before, whenAborted(AbortSignal.any([ending.signal, calledOff.signal]))]);
      const forbidden = await whyPaused(schedule, peers.daemon);
      if (forbidden) return end({ result: 'refused', reason: forbidden.text });
      const { runtime } = await peers.daemon.instance(instanceId);
      const unmet = whySkipped(schedule.definition.condition, runtime);
      if (unmet !== undefined) return end({ result: 'skipped', reason: unmet });
      const countdown = AbortSignal.any([ending.signal, calledOff.signal]);
      end(await act(schedule, { signal: ending.signal, countdown }, options));
    } catch (error) {
      if (ending.signal.aborted) return end({ result: 'cancelled', reason: 'Gamekeeper was shutting down.' });
      if (calledOff.signal.aborted) return end({ result: 'cancelled', reason: String(calledOff.signal.reason) });
      if (!(error instanceof GamekeeperError)) log.error({ err: error, instance: instanceId }, 'a schedule failed');
      end({ result: 'failed', reason: toCodedFailure(error).detail });
    } finally {
      countdowns.delete(key);
    }
  }

  return {
    async perform(schedule, plannedAt) {
      const lane = laneOf(schedule);
      if (busy.has(lane)) return note(schedule, plannedAt, { result: 'refused', reason: whyBusy(schedule) });
      busy.add(lane);
      const turn = `${schedule.instanceId} ${plannedAt}`;
      const work: Promise<void> = carryOut(schedule, plannedAt, turns.get(turn))
        .catch((error: unknown) => log.error({ err: error }, NOT_ON_RECORD))
        .finally(() => {
          busy.delete(lane);
          atWork.delete(work);
          if (turns.get(turn) === work) turns.delete(turn);
        });
      atWork.add(work);
      turns.set(turn, work);
      await work;
    },
    note,
    callOff: (key, reason) => countdowns.get(keyText(key))?.abort(reason),
    async close() {
      ending.abort(new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.'));
      await Promise.all(atWork);
    },
  };
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

function keyText({ instanceId, scheduleId }: ScheduleKey): string {
  return `${instanceId} ${scheduleId}`;
}

/** Returns the key of runs that must not overlap: two countdowns to a restart, or fifty drills each minute that a backup has to wait for. */
function laneOf({ instanceId, definition: { id, action } }: StoredSchedule): string {
  if (action.type === 'drill') return `${instanceId}:drill`;
  const startsOrStops = action.type === 'start' || action.type === 'stop' || action.type === 'restart';
  return startsOrStops ? instanceId : keyText({ instanceId, scheduleId: id });
}

function whyBusy({ definition: { action } }: StoredSchedule): string {
  if (action.type === 'drill') return 'A drill of this or another schedule was still in progress.';
  return action.type === 'backup' || action.type === 'command'
    ? 'The previous run was still in progress.'
    : 'Another schedule was starting or stopping the server, or the previous run was still in progress.';
}
