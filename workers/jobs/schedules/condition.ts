import type { InstanceRuntime } from '../../../shared/domain/instance/runtime.ts';
import type { ScheduleCondition } from '../../../shared/domain/schedule.ts';

/** The higher count wins: the list ping is some seconds old, and the console only knows players whose join it has seen. */
export function playerCount({ playersOnline, players }: InstanceRuntime): number | undefined {
  if (playersOnline === undefined) return players?.length;
  return Math.max(playersOnline, players?.length ?? 0);
}

/** Returns why a run is skipped, if it is. If the number of players is not known, some may be playing. */
export function whySkipped(condition: ScheduleCondition, runtime: InstanceRuntime): string | undefined {
  if (condition === 'always') return undefined;
  const runs = runtime.phase === 'running';
  const count = playerCount(runtime);
  if (condition === 'running') return runs ? undefined : 'The server was not running.';
  if (condition === 'players') return runs && count !== 0 ? undefined : 'No players were online.';
  if (!runs || count === 0) return undefined;
  return count === undefined
    ? 'It is not known how many players were online, because the server does not report it.'
    : 'Players were online.';
}
