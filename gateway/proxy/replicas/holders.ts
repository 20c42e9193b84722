import { isDatabaseAway } from '../store/database.ts';
import type { Holder, LinkRegistry } from './link-registry.ts';

/** How long an answer of the database is used. Links stay where they are for days. */
const FRESH_MS = 5_000;
/** At about 200 bytes each. */
const MOST = 10_000;

/** Knows which replica holds a daemon's link, as far as that was needed lately. */
export interface Holders {
  /** Asks the database if it is not known. While that is away, an old answer is better than none. */
  find(daemonId: string): Promise<Holder | undefined>;
  /** Has the next `find` ask the database, because the answer seems to be wrong. */
  doubt(daemonId: string): void;
}

export function createHolders(registry: Pick<LinkRegistry, 'holderOf'>): Holders {
  const known = new Map<string, { holder: Holder; at: number }>();

  function remember(daemonId: string, holder: Holder | undefined): void {
    known.delete(daemonId);
    if (!holder) return;
    known.set(daemonId, { holder, at: performance.now() });
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
  }

  return {
    async find(daemonId) {
      const last = known.get(daemonId);
      if (last && performance.now() - last.at < FRESH_MS) return last.holder;
      try {
        const holder = await registry.holderOf(daemonId);
        remember(daemonId, holder);
        return holder;
      } catch (error) {
        if (last && isDatabaseAway(error)) return last.holder;
        throw error;
      }
    },
    doubt(daemonId) {
      const last = known.get(daemonId);
      if (last) last.at = Number.NEGATIVE_INFINITY;
    },
  };
}
