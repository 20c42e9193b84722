import { setTimeout as delay } from 'node:timers/promises';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Logger } from '../../../shared/node/logger.ts';
import type { Database } from '../store/database.ts';
import { databaseSeconds } from './database-clock.ts';

const RENEW_EVERY_MS = 5_000;
/** A replica that could not renew its lease for this long should get no more new requests. */
const STALE_MS = 10_000;
/** A replica that was not seen for this long is taken for dead. */
const LEASE_SECONDS = 15;
/** Then it is forgotten, with what it should still have learned. No access token lives longer. */
const FORGOTTEN_SECONDS = 900;

export interface MembershipOptions {
  database: Database;
  id: string;
  log: Logger;
}

/** This process among the replicas on the same database. */
export interface Membership {
  /** Announces where others reach this process, and keeps the lease until `leave`. Calls `onForgotten` when others had taken it for dead. */
  join(url: string, onForgotten: () => void): Promise<void>;
  /** The lease was renewed lately. */
  readonly isRenewed: boolean;
  /** Resolves to whether another replica lives. */
  hasOthers(): Promise<boolean>;
  /** Gives up the lease, and with it all links. Never rejects. */
  leave(): Promise<void>;
}

export function createMembership({ database, id, log }: MembershipOptions): Membership {
  const stopping = new AbortController();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let renewing: Promise<void> | undefined;

  async function renew(url: string): Promise<'renewed' | 'added'> {
    const startedAt = performance.now();
    const row = await database
      .updateTable('replica')
      .set({ seen_at: databaseSeconds })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) await database.insertInto('replica').values({ id, url, seen_at: databaseSeconds }).execute();
    renewedAt = startedAt;
    await database
      .deleteFrom('replica')
      .where(({ eb }) => eb('seen_at', '<', eb(databaseSeconds, '-', FORGOTTEN_SECONDS)))
      .execute();
    return row ? 'renewed' : 'added';
  }

  async function keepRenewing(url: string, onForgotten: () => void): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(RENEW_EVERY_MS, undefined, { signal }).catch(() => undefined); // rejects only if aborted
      if (signal.aborted) return;
      try {
        if ((await renew(url)) === 'added') onForgotten();
      } catch (error) {
        log.warn({ err: error }, 'the lease of this replica could not be renewed');
      }
    }
  }

  return {
    async join(url, onForgotten) {
      await renew(url);
      renewing = keepRenewing(url, onForgotten);
    },
    get isRenewed() {
      return performance.now() - renewedAt < STALE_MS;
    },
    async hasOthers() {
      const other = await database
        .selectFrom('replica')
        .select('id')
        .where('id', '!=', id)
        .where(isAlive)
        .limit(1)
        .executeTakeFirst();
      return other !== undefined;
    },
    async leave() {
      stopping.abort();
      try {
        await renewing;
        await database.deleteFrom('replica').where('id', '=', id).execute();
      } catch (error) {
        log.warn({ err: error }, 'this replica could not give up its lease, which ends by itself');
      }
    },
  };
}

/** Condition on the table `replica`: the lease has not ended. */
export function isAlive(): Expression<SqlBool> {
  return sql<SqlBool>`replica.seen_at > ${databaseSeconds} - ${sql.lit(LEASE_SECONDS)}`;
}
