import type { Scope } from './access/scope.ts';

export const SCHEDULE_ACTIONS = ['start', 'stop', 'restart', 'backup', 'command', 'drill'] as const;
export type ScheduleActionType = (typeof SCHEDULE_ACTIONS)[number];

/** `players`: only while players are online. `empty`: only while the server runs without players. */
export const SCHEDULE_CONDITIONS = ['always', 'running', 'players', 'empty'] as const;
export type ScheduleCondition = (typeof SCHEDULE_CONDITIONS)[number];

/**
 * Results of a run:
 * - `skipped`: its condition was not met, or there was nothing to do
 * - `missed`: Gamekeeper did not run at that time, or the machine slept
 * - `refused`: an earlier run was still under way, or its owner lacks the rights now
 * - `paused`: not a run, but when the token, account or rights of its owner ended
 */
export const RUN_RESULTS = [
  'running',
  'done',
  'failed',
  'skipped',
  'missed',
  'refused',
  'cancelled',
  'paused',
] as const;

/** Why a schedule does not run although it is enabled. */
export const PAUSE_REASONS = [
  'token-ended',
  'proxy-unlinked',
  'access-ended',
  'user-removed',
  'user-disabled',
  'not-allowed',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Returns the scope that an action needs, by hand and in a schedule. */
export function scopeOfAction(type: ScheduleActionType): Scope {
  return type === 'backup' || type === 'drill' ? 'backups:create' : 'servers:write';
}
