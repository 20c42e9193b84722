import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { ON_EVERY_INSTANCE } from '../../../shared/domain/access/rights.ts';
import { isScope, type Scope } from '../../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createRevokedGrants } from '../../../shared/node/link/revoked-grants.ts';
import type { CredentialStore, Pairing } from '../../upstream/credential-store.ts';
import type { Identity, OAuthGrant } from '../identity.ts';
import { fetchKeys } from './fetch-keys.ts';
import { createKeySet, type KeySet } from './key-set.ts';

/** Asymmetric only: with a shared secret, anyone who can check a token could make one (RFC 8725, section 3.1). */
const ALGORITHMS = ['ES256', 'EdDSA', 'RS256'];
/** Tells access tokens from ID tokens of the same proxy (RFC 9068, section 2.1). */
const TYPE = 'at+jwt';
const REQUIRED = ['exp', 'iat', 'jti', 'sub', 'client_id'];
/** Clock difference between two machines. */
const TOLERANCE_SECONDS = 30;
/** How many verified tokens are cached. A cached token costs a look-up instead of a signature check. */
const MOST_REMEMBERED = 1_000;
/** Subjects and clients that are safe to show: OpenID Connect allows 255 ASCII characters. */
const SHOWABLE = /^[!-~]{1,255}$/;

/** Access tokens of the hosted proxy that this daemon is paired with (RFC 9068; docs/decisions/0005). */
export interface OAuthTokens {
  /** Returns the token's identity, without a promise if it is cached; `undefined` if it is not valid here. */
  find(token: string, now: number): Identity | undefined | Promise<Identity | undefined>;
  /** Returns the identity, with the scopes that the pairing allows now; `undefined` once its token is no longer valid. */
  current(identity: Identity, now: number): Promise<Identity | undefined>;
  /** Forgets every token, because the pairing may have changed. */
  forget(): void;
  /** Returns the grants of tokens that were accepted lately. */
  grants(): string[];
  /** Refuses every token of a grant from now on. */
  revokeGrant(grantId: string): void;
  /** Has the keys of the proxy fetched again before the next token is accepted. */
  expireKeys(): void;
}

interface Trust {
  pairing: Pairing;
  keys: KeySet;
}

/** Returns whether a proxy may have signed this token. Our own tokens use HS256; their check also rejects anything that is not a token. */
export function isOAuthToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg !== 'HS256';
  } catch {
    return false;
  }
}

export function createOAuthTokens(
  store: Pick<CredentialStore, 'pairing'>,
  onFailure: (error: unknown) => void,
): OAuthTokens {
  const revokedGrants = createRevokedGrants();
  /** Replaced when keys change: a check that is still running then writes to the old map. */
  let remembered = new Map<string, Identity>();
  /** Grants of accepted tokens, with the time at which the last of them expires. The oldest is first. */
  const accepted = new Map<string, number>();
  let trusting: Promise<Trust | null> | undefined;
  /** The last pairing read. Its keys are kept as long as the pairing is unchanged. */
  let last: Trust | undefined;

  function trust(): Promise<Trust | null> {
    trusting ??= readPairing().catch((error: unknown) => {
      trusting = undefined;
      throw error;
    });
    return trusting;
  }

  async function readPairing(): Promise<Trust | null> {
    const pairing = await store.pairing();
    if (!pairing) return null;
    const { issuer, jwksUri } = pairing;
    if (last?.pairing.issuer !== issuer || last.pairing.jwksUri !== jwksUri) {
      last = { pairing, keys: createKeySet({ fetch: () => fetchKeys(jwksUri), onFailure, onChange: forgetTokens }) };
    }
    return { ...last, pairing };
  }

  function forgetTokens(): void {
    remembered = new Map();
  }

  function noteGrant({ oauth, expiresAt }: Identity): void {
    if (oauth?.grantId === undefined) return;
    accepted.delete(oauth.grantId);
    accepted.set(oauth.grantId, expiresAt);
    const [oldest] = accepted.keys();
    if (accepted.size > MOST_REMEMBERED && oldest !== undefined) accepted.delete(oldest);
  }

  async function verify(token: string, now: number): Promise<Identity | undefined> {
    const asked = trust();
    const trusted = await asked;
    const memory = remembered;
    const identity = trusted ? await toIdentity(token, trusted, now) : undefined;
    if (asked !== trusting) return verify(token, now);
    if (!identity || revokedGrants.has(identity.oauth?.grantId)) return undefined;
    memory.set(token, identity);
    noteGrant(identity);
    const [oldest] = memory.keys();
    if (memory.size > MOST_REMEMBERED) memory.delete(oldest!);
    return identity;
  }

  return {
    find(token, now) {
      const known = remembered.get(token);
      if (known === undefined || !last?.keys.isFresh(now)) return verify(token, now);
      if (known.expiresAt > now) return known;
      remembered.delete(token);
      return undefined;
    },
    async current(identity, now) {
      const trusted = await trust();
      const { oauth } = identity;
      if (!trusted || !oauth || !isFrom(trusted.pairing, oauth) || revokedGrants.has(oauth.grantId)) return undefined;
      return identity.expiresAt > now ? { ...identity, scopes: allowed(oauth, trusted.pairing) } : undefined;
    },
    forget() {
      forgetTokens();
      trusting = undefined;
    },
    grants: () => [...accepted].flatMap(([grantId, end]) => (end > Date.now() ? grantId : [])),
    revokeGrant(grantId) {
      accepted.delete(grantId);
      revokedGrants.add(grantId);
      forgetTokens();
    },
    expireKeys: () => last?.keys.expire(),
  };
}

/** Returns whether the paired proxy issued the token, and not before the pairing: then it was for another account. */
function isFrom({ issuer, pairedAt }: Pairing, oauth: OAuthGrant): boolean {
  return oauth.issuer === issuer && oauth.issuedAt + TOLERANCE_SECONDS * 1000 >= Date.parse(pairedAt);
}

function allowed({ scopes }: OAuthGrant, { ceiling }: Pairing): ReadonlySet<Scope> {
  return new Set(scopes.filter((scope) => ceiling.includes(scope)));
}

async function toIdentity(token: string, { pairing, keys }: Trust, now: number): Promise<Identity | undefined> {
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, keys.at(now), {
      algorithms: ALGORITHMS,
      typ: TYPE,
      issuer: pairing.issuer,
      audience: pairing.audience,
      requiredClaims: REQUIRED,
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(now),
    }));
  } catch (error) {
    if (error instanceof GamekeeperError) throw error; // not the token's fault
    // An explanation would only help a forger.
    return undefined;
  }
  const { sub, client_id: client, scope = '', grant_id: grantId, exp, iat } = payload;
  if (typeof sub !== 'string' || typeof client !== 'string' || typeof scope !== 'string') return undefined;
  if (exp === undefined || iat === undefined || (grantId !== undefined && typeof grantId !== 'string'))
    return undefined;
  if (!SHOWABLE.test(sub) || !SHOWABLE.test(client) || partsOf(token).some(hasRepeatedName)) return undefined;
  const oauth: OAuthGrant = {
    issuer: pairing.issuer,
    client,
    issuedAt: iat * 1000,
    scopes: scope.split(' ').filter((word) => isScope(word)),
    ...(grantId !== undefined && { grantId }),
  };
  if (!isFrom(pairing, oauth) || (pairing.accountId ?? sub) !== sub) return undefined;
  return {
    kind: 'oauth',
    name: `${sub} (OAuth client ${client})`,
    username: `oauth ${sub}`, // no user name has a space
    // Roles are for users; a client is limited by its scopes alone.
    role: 'admin',
    scopes: allowed(oauth, pairing),
    files: 'write',
    instances: ON_EVERY_INSTANCE,
    unrestricted: false,
    credential: `oauth:${client} ${sub}`,
    oauth,
    expiresAt: (exp + TOLERANCE_SECONDS) * 1000,
    mustChangePassword: false,
  };
}

function partsOf(token: string): string[] {
  return token.split('.', 2).map((part) => Buffer.from(part, 'base64url').toString());
}

/**
 * Returns whether an object in this valid JSON text repeats a member's name: parsers disagree on which one counts (RFC 7519, section 4).
 */
function hasRepeatedName(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs;
  for (const [text, isName] of json.matchAll(token)) {
    if (text === '{') open.push(new Set());
    else if (text === '[') open.push(undefined);
    else if (text === '}' || text === ']') open.pop();
    else if (isName !== undefined) {
      const names = open.at(-1);
      const name = JSON.parse(text.slice(0, -isName.length)) as string;
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
