import { processesOf } from '../../support/processes/leftovers.ts';
import { processesAs } from '../system/processes.ts';

/** How often to list the processes, in milliseconds. Reading all of /proc costs CPU time itself. */
const INTERVAL_MS = 400;
/**
 * For how long there may be two. A supervisor whose daemon is killed before it has sent it its settings ends by itself, once it has started far enough to
 * notice; on a busy machine that takes seconds.
 */
const TOLERATED_MS = { game: 0, supervisor: 10_000 };

/** Reports a server that has two game processes or two supervisors at the same time. Returns a function that stops the watch. */
export function watchForDuplicates(home: string, ids: readonly string[], onFault: (what: string) => void): () => void {
  /** When two processes were first seen together. */
  const since = new Map<string, number>();
  const timer = setInterval(() => {
    const found = processesOf(home);
    for (const id of ids) {
      for (const role of ['game', 'supervisor'] as const) {
        const first = processesAs(role, { home, id, found });
        if (first.length < 2) continue;
        // Listing takes a while: one process may have ended and the next begun meanwhile.
        const pids = processesAs(role, { home, id }).map(({ pid }) => pid);
        const both = pids.filter((pid) => first.some((earlier) => earlier.pid === pid));
        if (both.length < 2) continue;
        const what = `${id} has ${both.length} ${role} processes: ${both.join(', ')}`;
        const begin = since.get(what) ?? Date.now();
        since.set(what, begin);
        if (Date.now() - begin >= TOLERATED_MS[role]) onFault(what);
      }
    }
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
