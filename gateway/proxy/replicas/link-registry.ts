import type { Logger } from '../../../shared/node/logger.ts';
import type { Presence } from '../daemons/live-links.ts';
import type { NamedLink } from '../links/links.ts';
import type { Database } from '../store/database.ts';
import { isAlive } from './membership.ts';
import { putInto } from './notices.ts';

/** PostgreSQL takes ten times as many rows when they come together. */
const GATHER_MS = 50;
const MOST_AT_ONCE = 500;
const RETRY_MS = 1_000;
/** A link that could not be registered for this long is of no use to the other replicas. */
const REGISTER_WITHIN_MS = 10_000;

/** Where a daemon is connected. */
export interface Holder {
  replicaId: string;
  url: string;
}

/** The links of this process, for the other replicas. It is a hint: the links themselves are the truth. */
export interface LinkRegistry extends Presence {
  opened(link: NamedLink): void;
  closed(link: NamedLink): void;
  /** Resolves to the other replica that holds a daemon's link, if it lives. */
  holderOf(daemonId: string): Promise<Holder | undefined>;
  /** Calls `listener` for a link that could not be registered. */
  onUnregistered(listener: (link: NamedLink) => void): void;
  close(): Promise<void>;
}

export interface LinkRegistryOptions {
  database: Database;
  /** Of this replica. */
  id: string;
  log: Logger;
}

export function createLinkRegistry(options: LinkRegistryOptions): LinkRegistry {
  return new BatchedRegistry(options);
}

class BatchedRegistry implements LinkRegistry {
  readonly #options: LinkRegistryOptions;
  /** By daemon: links to register, and since when. */
  readonly #opened = new Map<string, { linkId: string; since: number }>();
  /** By link: links to remove. */
  readonly #closed = new Map<string, string>();
  #onUnregistered: (link: NamedLink) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: LinkRegistryOptions) {
    this.#options = options;
  }

  opened({ daemonId, linkId }: NamedLink): void {
    this.#opened.set(daemonId, { linkId, since: performance.now() });
    this.#flushIn(GATHER_MS);
  }

  closed({ daemonId, linkId }: NamedLink): void {
    if (this.#opened.get(daemonId)?.linkId === linkId) this.#opened.delete(daemonId);
    // Also then: it may be in the batch that is under way.
    this.#closed.set(linkId, daemonId);
    this.#flushIn(GATHER_MS);
  }

  async holderOf(daemonId: string): Promise<Holder | undefined> {
    const { database, id } = this.#options;
    const row = await database
      .selectFrom('link')
      .innerJoin('replica', 'replica.id', 'link.replica_id')
      .select(['replica.id', 'replica.url'])
      .where('link.daemon_id', '=', daemonId)
      .where('replica.id', '!=', id)
      .where(isAlive)
      .executeTakeFirst();
    return row && { replicaId: row.id, url: row.url };
  }

  async connected(daemonIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (daemonIds.length === 0) return new Set();
    const rows = await this.#options.database
      .selectFrom('link')
      .innerJoin('replica', 'replica.id', 'link.replica_id')
      .select('link.daemon_id')
      .where('link.daemon_id', 'in', daemonIds)
      .where(isAlive)
      .execute();
    return new Set(rows.map(({ daemon_id }) => daemon_id));
  }

  onUnregistered(listener: (link: NamedLink) => void): void {
    this.#onUnregistered = listener;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#flushing;
  }

  #flushIn(ms: number): void {
    if (this.#isClosed || this.#timer || this.#flushing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#flushing = this.#flush()
        .then(
          () => GATHER_MS,
          (error: unknown) => {
            this.#options.log.warn({ err: error }, 'links could not be registered');
            return RETRY_MS;
          },
        )
        .then((waitMs) => {
          this.#flushing = undefined;
          if (this.#opened.size + this.#closed.size > 0) this.#flushIn(waitMs);
        });
    }, ms);
  }

  async #flush(): Promise<void> {
    this.#giveUpOld();
    const closed = [...this.#closed].slice(0, MOST_AT_ONCE);
    await this.#remove(closed);
    for (const [linkId] of closed) this.#closed.delete(linkId);
    const opened = [...this.#opened].slice(0, MOST_AT_ONCE).map(([daemonId, { linkId }]) => ({ daemonId, linkId }));
    await this.#register(opened);
    for (const { daemonId, linkId } of opened)
      if (this.#opened.get(daemonId)?.linkId === linkId) this.#opened.delete(daemonId);
  }

  #giveUpOld(): void {
    const oldest = performance.now() - REGISTER_WITHIN_MS;
    for (const [daemonId, { linkId, since }] of this.#opened) {
      if (since > oldest) continue;
      this.#opened.delete(daemonId);
      this.#onUnregistered({ daemonId, linkId });
    }
  }

  async #remove(closed: readonly [linkId: string, daemonId: string][]): Promise<void> {
    if (closed.length === 0) return;
    await this.#options.database
      .deleteFrom('link')
      .where(
        'daemon_id',
        'in',
        closed.map(([, daemonId]) => daemonId),
      )
      // Not a newer link of the same daemon.
      .where(
        'link_id',
        'in',
        closed.map(([linkId]) => linkId),
      )
      .execute();
  }

  /** Registers links, and has other replicas close those that they replace. */
  async #register(links: readonly NamedLink[]): Promise<void> {
    if (links.length === 0) return;
    const { database, id } = this.#options;
    // In one order, so that two replicas never wait for each other.
    const rows = links
      .map(({ daemonId, linkId }) => ({ daemon_id: daemonId, link_id: linkId, replica_id: id }))
      .sort((a, b) => (a.daemon_id < b.daemon_id ? -1 : 1));
    await database.transaction().execute(async (transaction) => {
      const registered = await transaction
        .insertInto('link')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('daemon_id').doUpdateSet(({ ref }) => ({
            link_id: ref('excluded.link_id'),
            replica_id: ref('excluded.replica_id'),
            former_link_id: ref('link.link_id'),
            former_replica_id: ref('link.replica_id'),
          })),
        )
        .returning(['daemon_id', 'former_link_id', 'former_replica_id'])
        .execute();
      const replaced = registered.flatMap(({ daemon_id, former_link_id, former_replica_id }) => {
        if (former_link_id === null || former_replica_id === null || former_replica_id === id) return [];
        const notice = { type: 'link-replaced', daemonId: daemon_id, linkId: former_link_id } as const;
        return { replicaId: former_replica_id, notice };
      });
      await putInto(transaction, replaced);
    });
  }
}
