import { processesAs } from './found-processes.ts';

/** How often to look, milliseconds: reading all of /proc is some load itself. */
const LOOK_EVERY_MS = 400;

/** Looks all the time whether a server's game is there twice. Returns how to stop it. */
export function watchForTwice(home: string, ids: readonly string[], onFault: (what: string) => void): () => void {
  const gamesOf = (id: string) => processesAs('game', { home, id }).map(({ pid }) => pid);
  const timer = setInterval(() => {
    for (const id of ids) {
      const games = gamesOf(id);
      if (games.length < 2) continue;
      // The list of processes takes a while to read: one may have ended and the next begun meanwhile.
      const still = gamesOf(id).filter((pid) => games.includes(pid));
      if (still.length > 1) onFault(`the game of ${id} is there ${still.length} times: ${still.join(', ')}`);
    }
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
