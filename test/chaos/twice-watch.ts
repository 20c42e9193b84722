import { processesAs } from './found-processes.ts';

/** How often to look, milliseconds: reading all of /proc is some load itself. */
const LOOK_EVERY_MS = 400;

/** Looks all the time whether a server's game, or its supervisor, is there twice. Returns how to stop it. */
export function watchForTwice(home: string, ids: readonly string[], onFault: (what: string) => void): () => void {
  const pidsOf = (role: 'game' | 'supervisor', id: string) => processesAs(role, { home, id }).map(({ pid }) => pid);
  const timer = setInterval(() => {
    for (const id of ids) {
      for (const role of ['game', 'supervisor'] as const) {
        const first = pidsOf(role, id);
        if (first.length < 2) continue;
        // The list of processes takes a while to read: one may have ended and the next begun meanwhile.
        const still = pidsOf(role, id).filter((pid) => first.includes(pid));
        if (still.length > 1) onFault(`the ${role} of ${id} is there ${still.length} times: ${still.join(', ')}`);
      }
    }
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
