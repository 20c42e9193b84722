import type { Scope } from './scope.ts';

/** What a schedule can do. */
export const SCHEDULE_ACTIONS = ['start', 'stop', 'restart', 'backup', 'command', 'drill'] as const;
export type ScheduleActionType = (typeof SCHEDULE_ACTIONS)[number];

/** When it is done: whatever goes on, only while the server runs, only while somebody plays, only while nobody does. */
export const SCHEDULE_CONDITIONS = ['always', 'running', 'players', 'empty'] as const;
export type ScheduleCondition = (typeof SCHEDULE_CONDITIONS)[number];

/**
 * How a run went.
 * - `skipped`: its condition did not hold, or there was nothing to do
 * - `missed`: nothing of ours ran at that time, or the machine slept
 * - `refused`: a run before it was still under way, or its owner may not do this any more
 */
export const RUN_RESULTS = ['running', 'done', 'failed', 'skipped', 'missed', 'refused', 'cancelled'] as const;

/** The scope that doing this by hand needs, and therefore having it done. */
export function scopeOfAction(type: ScheduleActionType): Scope {
  return type === 'backup' || type === 'drill' ? 'backups:create' : 'servers:write';
}
