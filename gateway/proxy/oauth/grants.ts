import type { Selectable } from 'kysely';
import type { RegisteredDaemon } from '../daemons/directory.ts';
import type { LiveLinks } from '../daemons/live-links.ts';
import { type Database, toSeconds } from '../store/database.ts';
import type { OauthItemRow } from '../store/schema.ts';
import type { Vault } from '../store/vault.ts';
import { daemonIdOf } from './resources.ts';

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;
/** Longer than any access token lives: after that, nobody asks about the grant. */
const REMEMBERED_S = HOUR_S;
/** More programs than anybody uses. Each consent adds one, and lists read them all. */
const MOST_OF_ACCOUNT = 200;

/** What oidc-provider stores of a grant, as far as it is used here. */
interface GrantPayload {
  clientId?: string;
  /** Scopes by resource. */
  resources?: Record<string, string>;
}

export interface GrantInfo {
  grantId: string;
  clientId: string;
  grantedAt: Date;
  /** The daemons it is for. */
  daemonIds: string[];
  scopes: string[];
}

/** What people have allowed programs to do. */
export interface Grants {
  /** Newest first, without those that only link a daemon. */
  ofAccount(accountId: string): Promise<GrantInfo[]>;
  /** Resolves to `undefined` if there is none, it only links a daemon, or it belongs to another account. */
  find(grantId: string, accountId: string): Promise<GrantInfo | undefined>;
  isRevoked(grantId: string): Promise<boolean>;
  /** Resolves to those of these grants that no longer let a program use a daemon of this account. */
  endedFor(daemon: Pick<RegisteredDaemon, 'daemonId' | 'accountId'>, grantIds: readonly string[]): Promise<string[]>;
  /** Ends a grant with all its tokens, and tells its daemons. Resolves to false if there is none, or it belongs to another account. */
  revoke(grantId: string, accountId?: string): Promise<boolean>;
  /**
   * Ends everything that people have allowed a program which was removed. Only with `alsoOlder`, grants that a former version stored are looked
   * through as well: each has to be decrypted.
   */
  revokeOfClient(clientId: string, options?: { alsoOlder?: boolean }): Promise<void>;
  /** Revokes the oldest grants of an account that has too many, but never this one. */
  makeSpaceFor(grantId: string, accountId: string): Promise<void>;
  /** Forgets grants that no token uses any more. */
  removeUnused(): Promise<void>;
}

export interface GrantsOptions {
  database: Database;
  vault: Vault;
  links: LiveLinks;
  /** Milliseconds. */
  now: () => number;
}

export function createGrants({ database, vault, links, now }: GrantsOptions): Grants {
  const select = () => database.selectFrom('oauth_item').selectAll().where('model', '=', 'Grant');
  const open = (row: { name: string; payload: string }) =>
    JSON.parse(vault.open(row.payload, `Grant ${row.name}`)) as GrantPayload;

  const rowOf = (grantId: string) => select().where('name', '=', vault.nameOf(grantId)).executeTakeFirst();

  function infoOf(row: Selectable<OauthItemRow>): GrantInfo | undefined {
    const { clientId = '', resources = {} } = open(row);
    const daemonIds = daemonsIn(resources);
    if (row.grant_id === null || daemonIds.length === 0) return undefined;
    const scopes = [...new Set(Object.values(resources).flatMap((scope) => scope.split(' ')))];
    return { grantId: row.grant_id, clientId, grantedAt: new Date(row.created_at * 1000), daemonIds, scopes };
  }

  async function ofAccount(accountId: string): Promise<GrantInfo[]> {
    const rows = await select().where('account_id', '=', accountId).orderBy('created_at', 'desc').execute();
    return rows.flatMap((row) => infoOf(row) ?? []);
  }

  async function revoke(grantId: string, accountId?: string): Promise<boolean> {
    const row = await rowOf(grantId);
    if (!row || (accountId !== undefined && row.account_id !== accountId)) return false;
    await database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('revoked_grant')
        .values({ grant_id: grantId, revoked_at: toSeconds(now()) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction.deleteFrom('oauth_item').where('grant_id', '=', grantId).execute();
    });
    for (const daemonId of daemonsIn(open(row).resources ?? {}))
      links.tell(daemonId, { type: 'grant-revoked', grantId });
    return true;
  }

  return {
    ofAccount,
    revoke,
    async find(grantId, accountId) {
      const row = await rowOf(grantId);
      return row?.account_id === accountId ? infoOf(row) : undefined;
    },
    async makeSpaceFor(grantId, accountId) {
      const others = (await ofAccount(accountId)).filter((grant) => grant.grantId !== grantId);
      for (const { grantId: oldest } of others.slice(MOST_OF_ACCOUNT - 1)) await revoke(oldest);
    },
    async revokeOfClient(clientId, { alsoOlder = false } = {}) {
      const rows = await select()
        .where(({ eb, or }) =>
          or([eb('client_id', '=', clientId), ...(alsoOlder ? [eb('client_id', 'is', null)] : [])]),
        )
        .execute();
      for (const row of rows)
        if (row.grant_id !== null && (row.client_id ?? open(row).clientId) === clientId) await revoke(row.grant_id);
    },
    async isRevoked(grantId) {
      const row = await database
        .selectFrom('revoked_grant')
        .select('grant_id')
        .where('grant_id', '=', grantId)
        .executeTakeFirst();
      return row !== undefined;
    },
    async endedFor({ daemonId, accountId }, grantIds) {
      if (grantIds.length === 0) return [];
      const names = new Map(grantIds.map((grantId) => [vault.nameOf(grantId), grantId]));
      const rows = await select()
        .where('name', 'in', [...names.keys()])
        .where('account_id', '=', accountId)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', toSeconds(now()))]))
        .execute();
      for (const row of rows) if (daemonsIn(open(row).resources ?? {}).includes(daemonId)) names.delete(row.name);
      return [...names.values()];
    },
    async removeUnused() {
      const at = toSeconds(now());
      await database
        .deleteFrom('revoked_grant')
        .where('revoked_at', '<', at - REMEMBERED_S)
        .execute();
      await database.deleteFrom('oauth_item').where('expires_at', '<', at).execute();
      await database
        .deleteFrom('oauth_item')
        .where('model', '=', 'Grant')
        .where('created_at', '<', at - DAY_S)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('oauth_item as token')
                .select('token.name')
                .whereRef('token.grant_id', '=', 'oauth_item.grant_id')
                .where('token.model', '!=', 'Grant'),
            ),
          ),
        )
        .execute();
    },
  };
}

function daemonsIn(resources: Record<string, string>): string[] {
  return Object.keys(resources).flatMap((resource) => daemonIdOf(resource) ?? []);
}
