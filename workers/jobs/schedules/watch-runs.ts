import type { ScheduleRun } from '../../../shared/schema/schedule.ts';
import type { RunTable } from './run-table.ts';

/** A slow reader only gets the newest runs. */
const MOST_WAITING = 100;

/** Yields each run when it starts and when it ends, from now on. */
export async function* watchRuns(
  runs: RunTable,
  signal: AbortSignal,
): AsyncGenerator<{ instanceId: string; run: ScheduleRun }> {
  const waiting: { instanceId: string; run: ScheduleRun }[] = [];
  let wake: (() => void) | undefined;
  const wakeUp = () => wake?.();
  const stop = runs.onChange((instanceId, run) => {
    waiting.push({ instanceId, run });
    if (waiting.length > MOST_WAITING) waiting.shift();
    wakeUp();
  });
  signal.addEventListener('abort', wakeUp);
  try {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next) yield next;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stop();
    signal.removeEventListener('abort', wakeUp);
  }
}
