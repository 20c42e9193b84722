import type { InstanceRuntime } from '../../../shared/domain/runtime.ts';
import type { ScheduleCondition } from '../../../shared/domain/schedule.ts';

/** Why a run is skipped, or nothing. Where nobody can tell who plays, it is taken that somebody may. */
export function whyNotNow(
  condition: ScheduleCondition,
  { phase, playersOnline, players }: InstanceRuntime,
): string | undefined {
  if (condition === 'always') return undefined;
  const runs = phase === 'running';
  const count = playersOnline ?? players?.length;
  if (condition === 'running') return runs ? undefined : 'The server was not running.';
  if (condition === 'players') return runs && count !== 0 ? undefined : 'Nobody was playing.';
  return runs && count !== 0 ? 'Somebody was playing.' : undefined;
}
