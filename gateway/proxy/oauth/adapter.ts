import type { Selectable } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { type Database, toSeconds } from '../store/database.ts';
import type { OauthItemRow } from '../store/schema.ts';
import type { Vault } from '../store/vault.ts';
import type { Clients } from './clients.ts';
import type { Grants } from './grants.ts';

const CLIENT = 'Client';
const GRANT = 'Grant';

export interface AdapterOptions {
  database: Database;
  vault: Vault;
  clients: Clients;
  grants: Grants;
  /** Milliseconds. */
  now: () => number;
}

/**
 * Returns the storage of oidc-provider (https://github.com/panva/node-oidc-provider/blob/main/example/my_adapter.js). Rows are named by a keyed
 * hash of their id and their content is encrypted, because ids are tokens and codes.
 */
export function createAdapter(options: AdapterOptions): (model: string) => Adapter {
  return (model) => (model === CLIENT ? clientAdapter(options.clients) : itemAdapter(model, options));
}

function itemAdapter(model: string, { database, vault, grants, now }: AdapterOptions): Adapter {
  const seconds = () => toSeconds(now());
  const select = () => database.selectFrom('oauth_item').selectAll().where('model', '=', model);

  function payloadOf(row: Selectable<OauthItemRow> | undefined): AdapterPayload | undefined {
    if (!row) return undefined;
    const payload = JSON.parse(vault.open(row.payload, `${model} ${row.name}`)) as AdapterPayload;
    // A used token must be found, so that oidc-provider notices its reuse.
    return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at };
  }

  return {
    async upsert(id, payload, expiresIn) {
      const name = vault.nameOf(id);
      const at = seconds();
      const values = {
        payload: vault.seal(JSON.stringify(payload), `${model} ${name}`),
        grant_id: model === GRANT ? id : (payload.grantId ?? null),
        account_id: payload.accountId ?? null,
        user_code: payload.userCode === undefined ? null : vault.nameOf(payload.userCode),
        uid: payload.uid ?? null,
        client_id: model === GRANT ? (payload.clientId ?? null) : null,
        expires_at: expiresIn ? at + expiresIn : null,
      };
      await database
        .insertInto('oauth_item')
        .values({ model, name, ...values, created_at: at, consumed_at: null })
        .onConflict((conflict) => conflict.columns(['model', 'name']).doUpdateSet(values))
        .execute();
    },
    find: async (id) => payloadOf(await select().where('name', '=', vault.nameOf(id)).executeTakeFirst()),
    findByUid: async (uid) => payloadOf(await select().where('uid', '=', uid).executeTakeFirst()),
    findByUserCode: async (code) =>
      payloadOf(await select().where('user_code', '=', vault.nameOf(code)).executeTakeFirst()),
    async consume(id) {
      const consumed = await database
        .updateTable('oauth_item')
        .set({ consumed_at: seconds() })
        .where('model', '=', model)
        .where('name', '=', vault.nameOf(id))
        .where('consumed_at', 'is', null)
        .returning('name')
        .execute();
      // oidc-provider has found it unused, but another request was faster.
      if (consumed.length === 0) throw new errors.InvalidGrant('it was already used');
    },
    async destroy(id) {
      if (model === GRANT) await grants.revoke(id);
      else
        await database
          .deleteFrom('oauth_item')
          .where('model', '=', model)
          .where('name', '=', vault.nameOf(id))
          .execute();
    },
    async revokeByGrantId(grantId) {
      await database.deleteFrom('oauth_item').where('model', '=', model).where('grant_id', '=', grantId).execute();
    },
  };
}

/** Clients are registered elsewhere (clients.ts). */
function clientAdapter(clients: Clients): Adapter {
  const unused = () => Promise.reject(new Error('clients are not registered by protocol'));
  return {
    find: (id) => clients.find(id),
    upsert: unused,
    destroy: unused,
    consume: unused,
    findByUid: unused,
    findByUserCode: unused,
    revokeByGrantId: unused,
  };
}
