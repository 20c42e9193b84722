import { processesOf } from '../../support/processes/leftovers.ts';
import { processesAs } from '../system/processes.ts';

/** How often to list the processes, in milliseconds. Reading all of /proc costs CPU time itself. */
const INTERVAL_MS = 400;

/** Reports a server that has two game processes or two supervisors at the same time. Returns a function that stops the watch. */
export function watchForDuplicates(home: string, ids: readonly string[], onFault: (what: string) => void): () => void {
  const timer = setInterval(() => {
    const found = processesOf(home);
    for (const id of ids) {
      for (const role of ['game', 'supervisor'] as const) {
        const first = processesAs(role, { home, id, found });
        if (first.length < 2) continue;
        // Listing takes a while: one process may have ended and the next begun meanwhile.
        const pids = processesAs(role, { home, id }).map(({ pid }) => pid);
        const both = pids.filter((pid) => first.some((earlier) => earlier.pid === pid));
        if (both.length > 1) onFault(`${id} has ${both.length} ${role} processes: ${both.join(', ')}`);
      }
    }
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
