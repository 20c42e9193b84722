import { type History, type HistoryEvent, secondsOf } from './chart-history.ts';

/** How the server ended before a gap; `unknown`: nobody observed it, such as while Gamekeeper did not run or the computer was asleep. */
export type GapReason = 'stop' | 'sleep' | 'crash' | 'unknown';

/** A time without points. Seconds since the epoch. */
export interface Gap {
  from: number;
  to: number;
  reason: GapReason;
}

/** A point may be this late. Steps. */
const TOLERANCE = 1.5;

/** Returns the gaps between points, after the last one, and between the first event and the first point, oldest first. */
export function gapsOf({ points, stepSeconds, until, events }: Omit<History, 'range'>): Gap[] {
  const times = points.map(({ at }) => secondsOf(at));
  const end = secondsOf(until);
  const others = times.flatMap((time, index) => {
    const next = times[index + 1];
    // After the last point, the present step has not ended.
    const missing = (next ?? end - stepSeconds) - time;
    if (missing <= stepSeconds * TOLERANCE) return [];
    const to = next ?? end;
    return [{ from: time + stepSeconds, to, reason: reasonOf({ from: time, to, stepSeconds }, events) }];
  });
  return [...gapBefore(times[0], stepSeconds, events), ...others];
}

function gapBefore(first: number | undefined, stepSeconds: number, events: readonly HistoryEvent[]): Gap[] {
  const from = events[0] && secondsOf(events[0].at);
  if (first === undefined || from === undefined || first - from <= stepSeconds * TOLERANCE) return [];
  return [{ from, to: first, reason: reasonOf({ from, to: first, stepSeconds: 0 }, events) }];
}

/** Returns the gap at a time. Its end does not belong to it. */
export function gapAt(gaps: readonly Gap[], time: number): Gap | undefined {
  return gaps.find(({ from, to }) => from <= time && time < to);
}

/** `from` is when the last point before the gap begins. The server may have been restarted within that point. */
function reasonOf(
  { from, to, stepSeconds }: { from: number; to: number; stepSeconds: number },
  events: readonly HistoryEvent[],
): GapReason {
  const inside = events.map(({ at, kind }) => ({ at: secondsOf(at), kind })).filter(({ at }) => at >= from && at < to);
  const started = inside.findLast(({ at, kind }) => kind === 'start' && at < from + stepSeconds)?.at ?? from;
  for (const { at, kind } of inside) if (at >= started && isEnd(kind)) return kind;
  return 'unknown';
}

function isEnd(kind: HistoryEvent['kind']): kind is 'stop' | 'sleep' | 'crash' {
  return kind === 'stop' || kind === 'sleep' || kind === 'crash';
}
