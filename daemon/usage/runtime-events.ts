import { isLive } from '../../shared/domain/instance/phase.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import type { HistoryEvent } from '../../shared/schema/history.ts';

/** `at`: milliseconds since the epoch. */
export interface RuntimeEvent {
  at: number;
  kind: HistoryEvent['kind'];
}

/**
 * Returns what happened to a server between two observations; mostly nothing. `before` is `undefined` if this daemon has not observed it yet.
 * Starts and crashes have their own time, so two daemons that observe the same one return the same event.
 */
export function runtimeEvents(
  before: InstanceRuntime | undefined,
  after: InstanceRuntime,
  now: number,
): RuntimeEvent[] {
  const { phase, startedAt, crash } = after;
  const events: RuntimeEvent[] = [];
  if (crash && !crash.failedStart && crash.at !== before?.crash?.at)
    events.push({ at: Date.parse(crash.at), kind: 'crash' });
  if (startedAt !== undefined && startedAt !== before?.startedAt)
    events.push({ at: Math.round(startedAt), kind: 'start' });
  if (before && isLive(before.phase)) {
    if (phase === 'stopped') events.push({ at: now, kind: 'stop' });
    if (phase === 'sleeping') events.push({ at: now, kind: 'sleep' });
  }
  return events;
}
