import { randomBytes } from 'node:crypto';
import type { ClientMetadata } from 'oidc-provider';
import { isLoopback } from '../../../shared/node/loopback.ts';
import { SIGNING_ALGORITHM } from '../keys/key-store.ts';
import { StartupError } from '../startup-error.ts';
import { type Database, toSeconds } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

const ID_BYTES = 12;
const ID = /^[\w-]{16}$/;
const SECRET_BYTES = 32;
const LONGEST_NAME = 64;
/** RFC 8252, section 7.1: a scheme of an app of its own contains a dot. */
const APP_SCHEME = /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/;

export interface NewClient {
  name: string;
  redirectUris: readonly string[];
  /** A program that cannot keep a secret: in a browser, on a phone or a desktop. */
  isPublic: boolean;
}

/** Programs that people can let into their servers. */
export interface Clients {
  /** Throws StartupError if name or address is not acceptable. The secret cannot be read again. */
  create(client: NewClient): Promise<{ client_id: string; client_secret?: string }>;
  find(id: string): Promise<ClientMetadata | undefined>;
}

export interface ClientsOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createClients({ database, vault, now }: ClientsOptions): Clients {
  return {
    async create({ name, redirectUris, isPublic }) {
      if (name.trim() === '' || name.length > LONGEST_NAME)
        throw new StartupError(`The name must have 1 to ${LONGEST_NAME} characters.`);
      for (const uri of redirectUris) checkRedirectUri(uri);
      const id = randomBytes(ID_BYTES).toString('base64url');
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
      await database
        .insertInto('oauth_client')
        .values({ id, name, payload: vault.seal(JSON.stringify(metadata), id), created_at: toSeconds(now()) })
        .execute();
      return { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
    },
    async find(id) {
      if (!ID.test(id)) return undefined;
      const row = await database.selectFrom('oauth_client').selectAll().where('id', '=', id).executeTakeFirst();
      return row && (JSON.parse(vault.open(row.payload, id)) as ClientMetadata);
    },
  };
}

/** Codes are sent there: only to TLS, this machine or an app (RFC 9700, section 2.1). */
function checkRedirectUri(text: string): void {
  const url = URL.parse(text);
  const isSafe =
    url !== null &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) ||
      APP_SCHEME.test(url.protocol));
  if (!isSafe || text.includes('#') || text.includes('*'))
    throw new StartupError(
      `"${text}" cannot be a redirect URI. Use an https URL, an http URL on this machine, or the scheme of an app, such as com.example.app:/callback, without "#" and "*".`,
    );
}
