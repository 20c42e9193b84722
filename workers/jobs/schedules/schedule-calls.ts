import { createHash } from 'node:crypto';
import type { JobsService, ScheduleList, ScheduleOwner } from '../../../shared/contract/jobs.ts';
import { scopeOfAction } from '../../../shared/domain/schedule.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Schedule, ScheduleInput, ScheduleRun } from '../../../shared/schema/schedule.ts';
import type { Peers } from '../resources/peers.ts';
import { randomHex } from '../resources/random-hex.ts';
import { checkCron, createUpcomingRuns, localTimeZone } from './cron.ts';
import { askingOnce, whyPaused } from './owner-rights.ts';
import type { Performer } from './perform.ts';
import type { RunTable } from './run-table.ts';
import type { ScheduleDefinition, ScheduleTable, StoredSchedule } from './schedule-table.ts';
import type { Scheduler } from './scheduler.ts';
import { watchRuns } from './watch-runs.ts';

const SHOWN_NEXT_RUNS = 5;
const ID_DIGITS = 8;
const CHANGED = 'The schedule was changed in the meantime.';

export interface ScheduleCallsOptions {
  table: ScheduleTable;
  runs: RunTable;
  performer: Performer;
  scheduler: Scheduler;
  peers: Peers;
}

export type ScheduleCalls = Pick<
  JobsService,
  'schedules' | 'setSchedules' | 'pausedSchedules' | 'scheduleHistory' | 'watchScheduleRuns'
>;

export function createScheduleCalls({ table, runs, performer, scheduler, peers }: ScheduleCallsOptions): ScheduleCalls {
  const upcoming = createUpcomingRuns(SHOWN_NEXT_RUNS);

  async function show(instanceId: string): Promise<ScheduleList> {
    const stored = table.of(instanceId);
    const history = runs.of(instanceId);
    const schedules = await Promise.all(stored.map((schedule) => view(schedule, history)));
    return { schedules, version: versionOf(stored) };
  }

  async function view(schedule: StoredSchedule, history: readonly ScheduleRun[]): Promise<Schedule> {
    const { definition, owner, savedAt } = schedule;
    const paused = definition.enabled ? await whyPaused(schedule, peers.daemon) : undefined;
    const lastRun = history.find(({ scheduleId }) => scheduleId === definition.id);
    const next = definition.enabled && !paused ? upcoming(definition, new Date()) : [];
    return {
      ...definition,
      savedBy: nameOf(owner),
      savedAt,
      nextRuns: next.map((at) => at.toISOString()),
      ...(paused && { paused: paused.text, pauseReason: paused.reason }),
      ...(lastRun && { lastRun }),
    };
  }

  return {
    async schedules(instanceId) {
      await peers.daemon.instance(instanceId);
      return show(instanceId);
    },
    async setSchedules({ instanceId, schedules, version, by }) {
      const { config } = await peers.daemon.instance(instanceId);
      const account = by.kind === 'user' ? (await peers.daemon.user(by.username))?.createdAt : undefined;
      if (by.grant) await peers.daemon.useGrant(by.grant.id);
      // No `await` from here on, so that two concurrent requests are applied one after the other.
      const before = table.of(instanceId);
      if (version !== undefined && version !== versionOf(before))
        throw new GamekeeperError('precondition_failed', 'The schedules have changed since you read them.');
      const now = new Date();
      const known = new Map(before.map((schedule) => [schedule.definition.id, schedule]));
      const after = schedules.map((input): StoredSchedule => {
        const definition = definitionOf(input, randomHex(ID_DIGITS));
        const same = known.get(definition.id);
        if (same && !input.resume && JSON.stringify(same.definition) === JSON.stringify(definition)) return same;
        checkCron(definition);
        requireScope(by, definition);
        return {
          instanceId,
          instanceSince: config.createdAt,
          definition,
          owner: { ...by, account },
          savedAt: now.toISOString(),
          consideredAt: now.getTime(),
        };
      });
      const kept = new Set(after);
      const gone = before.filter((schedule) => !kept.has(schedule));
      for (const { definition } of gone) requireScope(by, definition);
      table.replace(instanceId, after);
      for (const { definition } of gone) performer.callOff({ instanceId, scheduleId: definition.id }, CHANGED);
      scheduler.wake();
      return show(instanceId);
    },
    async pausedSchedules() {
      const enabled = table.all().filter(({ definition }) => definition.enabled);
      const daemon = askingOnce(peers.daemon);
      const isPaused = await Promise.all(enabled.map((schedule) => whyPaused(schedule, daemon)));
      return [...new Set(enabled.filter((_, index) => isPaused[index]).map(({ instanceId }) => instanceId))];
    },
    scheduleHistory: (instanceId) => runs.of(instanceId),
    watchScheduleRuns: (signal) => watchRuns(runs, signal),
  };
}

function nameOf({ username, token, grant }: ScheduleOwner): string {
  if (token) return `${username} (token ${token.name})`;
  return grant ? `${username} (client ${grant.client})` : username;
}

/** Copies the fields in a fixed order, so that equal definitions give equal JSON. */
function definitionOf(input: ScheduleInput, newId: string): ScheduleDefinition {
  const { id = newId, name, enabled, cron, timeZone = localTimeZone(), action, condition, missed } = input;
  return { id, name, enabled, cron, timeZone, action, condition, missed };
}

/** Adding something to the schedule, or removing it, requires the scope for doing it. */
function requireScope({ scopes }: ScheduleOwner, { name, action }: ScheduleDefinition): void {
  const scope = scopeOfAction(action.type);
  if (!scopes.includes(scope))
    throw new GamekeeperError('insufficient_scope', `The schedule "${name}" needs the scope ${scope}.`, { scope });
}

function versionOf(schedules: readonly StoredSchedule[]): string {
  const said = schedules.map(({ definition, savedAt }) => [definition, savedAt]);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
}
