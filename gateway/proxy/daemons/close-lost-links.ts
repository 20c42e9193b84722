import type { Logger } from '../../../shared/node/logger.ts';
import type { EdgeServer } from '../edge/edge.ts';
import type { Links } from '../links/links.ts';
import type { Database } from '../store/database.ts';
import type { Daemons } from './directory.ts';

const LOOK_EVERY_MS = 250;

export interface LostLinksOptions {
  database: Database;
  daemons: Daemons;
  links: Pick<Links, 'disconnect' | 'ids'>;
  /** Absent unless players connect to this process. */
  edge?: Pick<EdgeServer, 'review'> | undefined;
  log: Logger;
}

/**
 * Closes the links and tunnels of daemons whose account another process has removed or disabled: a command on this machine, or another proxy on the same
 * database. The database has a counter for that, which is read often because that is cheap. Returns a function that stops it.
 */
export function closeLostLinks({ database, daemons, links, edge, log }: LostLinksOptions): () => void {
  let known: number | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout;

  async function look(): Promise<void> {
    const { count } = await database.selectFrom('access_change').select('count').executeTakeFirstOrThrow();
    if (count === known) return;
    for (const daemonId of await daemons.missing(links.ids())) links.disconnect(daemonId);
    await edge?.review();
    known = count;
  }

  function again(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      look()
        // The database may be away: the counter is still there when it comes back.
        .catch((error: unknown) => log.debug({ err: error }, 'removed accounts could not be looked for'))
        .finally(again);
    }, LOOK_EVERY_MS);
  }
  again();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
