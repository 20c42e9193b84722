import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../shared/node/logger.ts';
import type { Links } from '../links/links.ts';
import type { Replica } from './replica.ts';

/** Two checks of a load balancer, which then sends no more links here (packaging/proxy/haproxy.cfg). */
const NOTICE_MS = 5_000;
/** Below what one replica accepts (links.ts), so that the others are not flooded. */
const LINKS_PER_SECOND = 200;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 120_000;
const LOOK_EVERY_MS = 250;

export interface DrainOptions {
  replica: Pick<Replica, 'hasOthers'>;
  links: Pick<Links, 'count' | 'drain'>;
  log: Logger;
}

/** Has daemons open their links at other replicas. Resolves when none is left, after two minutes, or at once if there is no other replica. */
export async function drain({ replica, links, log }: DrainOptions): Promise<void> {
  // Without the database nobody could open a link elsewhere.
  if (links.count === 0 || !(await replica.hasOthers().catch(() => false))) return;
  log.info({ links: links.count }, 'draining');
  const deadline = performance.now() + LONGEST_MS;
  await delay(NOTICE_MS);
  links.drain(Math.max(SHORTEST_MS, Math.round((links.count / LINKS_PER_SECOND) * 1_000)));
  while (links.count > 0 && performance.now() < deadline) await delay(LOOK_EVERY_MS);
  log.info({ links: links.count }, 'drained');
}
