import { randomBytes, randomUUID } from 'node:crypto';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import type { Vault } from '../../store/vault.ts';

/** Tells these from access tokens. */
const PREFIX = 'gks_';
const TOKEN_BYTES = 32;
const MOST_OF_ACCOUNT = 5;

export interface ScrapeToken {
  id: string;
  createdAt: Date;
}

/** Long-lived tokens that can only read metrics: those of the daemons of their account. */
export interface ScrapeTokens {
  ofAccount(accountId: string): Promise<ScrapeToken[]>;
  /** Resolves to the token, which cannot be read again. Throws `invalid_state` if the account has too many. */
  add(accountId: string): Promise<string>;
  remove(id: string, accountId: string): Promise<void>;
  /** Resolves to the account of a token; `undefined` if it is wrong or was removed, or the account is disabled. */
  accountOf(token: string): Promise<string | undefined>;
}

export function isScrapeToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

export function createScrapeTokens({
  database,
  vault,
  now,
}: {
  database: Database;
  vault: Vault;
  now: () => number;
}): ScrapeTokens {
  return {
    async ofAccount(accountId) {
      const rows = await database
        .selectFrom('scrape_token')
        .select(['id', 'created_at'])
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .execute();
      return rows.map(({ id, created_at }) => ({ id, createdAt: new Date(created_at * 1000) }));
    },
    async add(accountId) {
      const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
      await database.transaction().execute(async (transaction) => {
        // Locks the account: two requests must not add the last one at once.
        await transaction.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
        const present = await transaction
          .selectFrom('scrape_token')
          .select('id')
          .where('account_id', '=', accountId)
          .execute();
        if (present.length >= MOST_OF_ACCOUNT)
          throw new GamekeeperError('invalid_state', `This account has ${MOST_OF_ACCOUNT} tokens, the maximum.`, {
            resolution: 'Remove one that you no longer use.',
          });
        const row = { id: randomUUID(), account_id: accountId, token_name: vault.nameOf(token) };
        await transaction
          .insertInto('scrape_token')
          .values({ ...row, created_at: toSeconds(now()) })
          .execute();
      });
      return token;
    },
    async remove(id, accountId) {
      await database.deleteFrom('scrape_token').where('id', '=', id).where('account_id', '=', accountId).execute();
    },
    async accountOf(token) {
      const row = await database
        .selectFrom('scrape_token')
        .innerJoin('account', 'account.id', 'scrape_token.account_id')
        .select('account_id')
        .where('token_name', '=', vault.nameOf(token))
        .where('account.disabled', '=', 0)
        .executeTakeFirst();
      return row?.account_id;
    },
  };
}
