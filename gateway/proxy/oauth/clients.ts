import { randomBytes } from 'node:crypto';
import type { ClientMetadata } from 'oidc-provider';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isLoopback } from '../../../shared/node/loopback.ts';
import { displayName } from '../../../shared/schema/printable-line.ts';
import { type Database, toSeconds } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';
import { SIGNING_ALGORITHM } from './keys/key-store.ts';

/** In hexadecimal: in base64url, some would begin with "-", which commands take for an option. */
const ID_BYTES = 8;
const ID = /^[\w-]{16}$/;
const SECRET_BYTES = 32;
const MOST_OF_ACCOUNT = 20;
const MOST_REDIRECT_URIS = 10;
const LONGEST_URI = 512;
/** RFC 8252, section 7.1: a scheme of an app of its own contains a dot. */
const APP_SCHEME = /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/;

export interface NewClient {
  name: string;
  redirectUris: readonly string[];
  /** A program that cannot keep a secret: in a browser, on a phone or a desktop. */
  isPublic: boolean;
  /** Who registers it. Absent: the operator of the proxy. */
  accountId?: string;
}

export interface CreatedClient {
  client_id: string;
  client_secret?: string;
}

export interface ClientInfo {
  id: string;
  name: string;
  redirectUris: readonly string[];
  isPublic: boolean;
  createdAt: Date;
  /** Name of the account that has registered it. Absent: the operator of the proxy has. */
  owner?: string;
}

/** Programs that people can let into their servers. */
export interface Clients {
  /**
   * The secret cannot be read again. Throws `invalid_request` if name or address is not acceptable, and `invalid_state` if the account has too
   * many.
   */
  create(client: NewClient): Promise<CreatedClient>;
  /** Resolves to `undefined` as well while the account that has registered it is disabled. */
  find(id: string): Promise<ClientMetadata | undefined>;
  /** Newest first: those of an account, or all. */
  list(accountId?: string): Promise<ClientInfo[]>;
  /** Resolves to the name of the account that has registered it; `undefined` for those of the operator. */
  ownerOf(id: string): Promise<string | undefined>;
  /** Resolves to false if there is none, or it is not of this account. Its grants have to be revoked afterwards. */
  remove(id: string, accountId?: string): Promise<boolean>;
}

export interface ClientsOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createClients({ database, vault, now }: ClientsOptions): Clients {
  const metadataOf = ({ id, payload }: { id: string; payload: string }) =>
    JSON.parse(vault.open(payload, id)) as ClientMetadata;
  const select = () =>
    database
      .selectFrom('oauth_client')
      .leftJoin('account', 'account.id', 'oauth_client.account_id')
      .select(['oauth_client.id', 'payload', 'oauth_client.created_at', 'account.name as owner']);

  return {
    async create({ name: wanted, redirectUris, isPublic, accountId }) {
      const name = checkedName(wanted);
      checkRedirectUris(redirectUris);
      const id = randomBytes(ID_BYTES).toString('hex');
      const secret = isPublic ? undefined : randomBytes(SECRET_BYTES).toString('base64url');
      const metadata: ClientMetadata = {
        client_id: id,
        ...(secret !== undefined && { client_secret: secret }),
        client_name: name,
        // For native programs any port of a loopback address is accepted (RFC 8252, section 7.3).
        application_type: redirectUris.every((uri) => !uri.startsWith('https:')) && isPublic ? 'native' : 'web',
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
        id_token_signed_response_alg: SIGNING_ALGORITHM,
      };
      const payload = vault.seal(JSON.stringify(metadata), id);
      await database.transaction().execute(async (transaction) => {
        if (accountId !== undefined) await requirePlace(transaction, accountId);
        await transaction
          .insertInto('oauth_client')
          .values({ id, name, payload, account_id: accountId ?? null, created_at: toSeconds(now()) })
          .execute();
      });
      return { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
    },
    async find(id) {
      if (!ID.test(id)) return undefined;
      const row = await select()
        .where('oauth_client.id', '=', id)
        .where(({ eb, or }) => or([eb('account_id', 'is', null), eb('account.disabled', '=', 0)]))
        .executeTakeFirst();
      return row && metadataOf(row);
    },
    async list(accountId) {
      const query = select().orderBy('oauth_client.created_at', 'desc').orderBy('oauth_client.id');
      const rows = await (accountId === undefined ? query : query.where('account_id', '=', accountId)).execute();
      return rows.map((row) => {
        const { client_name: name = row.id, redirect_uris: redirectUris = [], ...metadata } = metadataOf(row);
        const isPublic = metadata.token_endpoint_auth_method === 'none';
        const createdAt = new Date(row.created_at * 1000);
        return { id: row.id, name, redirectUris, isPublic, createdAt, ...(row.owner !== null && { owner: row.owner }) };
      });
    },
    async ownerOf(id) {
      return (await select().where('oauth_client.id', '=', id).executeTakeFirst())?.owner ?? undefined;
    },
    async remove(id, accountId) {
      const query = database.deleteFrom('oauth_client').where('id', '=', id).returning('id');
      const removed = accountId === undefined ? query : query.where('account_id', '=', accountId);
      return (await removed.execute()).length > 0;
    },
  };
}

/** Locks the account: two requests must not add the last one at once. */
async function requirePlace(transaction: Database, accountId: string): Promise<void> {
  await transaction.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
  const present = await transaction
    .selectFrom('oauth_client')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  if (present.length >= MOST_OF_ACCOUNT)
    throw new GamekeeperError('invalid_state', `This account has ${MOST_OF_ACCOUNT} programs, the maximum.`, {
      resolution: 'Remove one that you no longer use.',
    });
}

function checkedName(wanted: string): string {
  const { data, success } = displayName.safeParse(wanted);
  if (success) return data;
  throw new GamekeeperError('invalid_request', 'The name must be one line of 1 to 64 visible characters.', {
    resolution: 'Choose a name that people recognize.',
  });
}

function checkRedirectUris(redirectUris: readonly string[]): void {
  if (redirectUris.length === 0 || redirectUris.length > MOST_REDIRECT_URIS)
    throw new GamekeeperError('invalid_request', `A program has 1 to ${MOST_REDIRECT_URIS} redirect URIs.`, {
      resolution: 'Enter the addresses that people return to, one on each line.',
    });
  for (const uri of redirectUris) checkRedirectUri(uri);
}

/** Codes are sent there: only to TLS, this machine or an app (RFC 9700, section 2.1). */
function checkRedirectUri(text: string): void {
  const url = URL.parse(text);
  const isSafe =
    url !== null &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) ||
      APP_SCHEME.test(url.protocol));
  if (!isSafe || text.length > LONGEST_URI || text.includes('#') || text.includes('*'))
    throw new GamekeeperError('invalid_request', `"${text.slice(0, LONGEST_URI)}" cannot be a redirect URI.`, {
      resolution:
        'Use an https URL, an http URL on this machine, or the scheme of an app, such as com.example.app:/callback, without "#" and "*".',
    });
}
