import type { InstanceRuntime } from '../../../shared/domain/runtime.ts';
import type { ScheduleCondition } from '../../../shared/domain/schedule.ts';

/**
 * How many play; undefined where nobody can tell. The list ping is some seconds old, and the console knows only those whom it has seen come:
 * whoever one of them knows of counts.
 */
export function playerCount({ playersOnline, players }: InstanceRuntime): number | undefined {
  if (playersOnline === undefined) return players?.length;
  return Math.max(playersOnline, players?.length ?? 0);
}

/** Why a run is skipped, or nothing. Where nobody can tell who plays, it is taken that somebody may. */
export function whyNotNow(condition: ScheduleCondition, runtime: InstanceRuntime): string | undefined {
  if (condition === 'always') return undefined;
  const runs = runtime.phase === 'running';
  const count = playerCount(runtime);
  if (condition === 'running') return runs ? undefined : 'The server was not running.';
  if (condition === 'players') return runs && count !== 0 ? undefined : 'Nobody was playing.';
  return runs && count !== 0 ? 'Somebody was playing.' : undefined;
}
