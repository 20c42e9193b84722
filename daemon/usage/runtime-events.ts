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
  const isCrash = crash !== undefined && !crash.failedStart;
  const isNewCrash = isCrash && crash.at !== before?.crash?.at;
  if (isNewCrash) events.push({ at: Date.parse(crash.at), kind: 'crash' });
  if (startedAt !== undefined && startedAt !== before?.startedAt)
    events.push({ at: Math.round(startedAt), kind: 'start' });
  const hasEnded = before !== undefined && hasProcess(before) && !hasProcess(after);
  const hasCrashed = isNewCrash || (isCrash && phase === 'crashed');
  if (hasEnded && !hasCrashed) events.push({ at: now, kind: phase === 'sleeping' ? 'sleep' : 'stop' });
  return events;
}

/** A process that has just ended without a request still shows as running, until it is known whether it has crashed. */
function hasProcess({ phase, startedAt }: InstanceRuntime): boolean {
  return startedAt !== undefined || phase === 'starting' || phase === 'running';
}
