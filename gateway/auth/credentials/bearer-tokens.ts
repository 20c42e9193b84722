import { jwtVerify, SignJWT } from 'jose';
import { COMMAND_LINE } from '../../../shared/domain/access/local-administrator.ts';
import { rightsOf } from '../../../shared/domain/access/rights.ts';
import type { CredentialStore, TokenRecord, VerifiedUser } from '../../upstream/credential-store.ts';
import { type Identity, tokenCredential } from '../identity.ts';
import { createFreshAnswers } from './fresh-answers.ts';

/** The only algorithm accepted: `none` or any other is a forgery (RFC 8725, section 3.1). */
const ALGORITHM = 'HS256';
/** How many verified tokens are cached. A cached token costs a look-up instead of a signature check and two calls. */
const MOST_REMEMBERED = 1_000;

export interface BearerTokens {
  /** Signs and stores a token. The returned text is stored nowhere. */
  mint(record: TokenRecord, by: VerifiedUser | null): Promise<string>;
  /**
   * Returns the token's identity, without a promise if it is cached; `undefined` if the token is wrong, expired or revoked. `beforeAsking`
   * runs before a call to the daemon, and can prevent it by throwing.
   */
  find(
    token: string,
    now: number,
    options?: { beforeAsking?: (credential: string) => void },
  ): Identity | undefined | Promise<Identity | undefined>;
  current(id: string): Promise<Identity | undefined>;
  forget(affects: (identity: Identity) => boolean): void;
}

export function createBearerTokens(store: CredentialStore): BearerTokens {
  const remembered = new Map<string, Identity>();
  const fresh = createFreshAnswers();

  async function verify(
    token: string,
    now: number,
    beforeAsking: ((credential: string) => void) | undefined,
  ): Promise<Identity | undefined> {
    const { id: issuer, key } = await store.issuer();
    let jti: string | undefined;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer,
        requiredClaims: ['exp', 'jti', 'sub'],
        currentDate: new Date(now),
      });
      ({ jti } = payload);
    } catch {
      // An explanation would only help a forger.
      return undefined;
    }
    if (jti === undefined) return undefined;
    const id = jti;
    beforeAsking?.(tokenCredential(id));
    return fresh.ask(
      () => current(id),
      (identity) => {
        if (!identity) return undefined;
        remembered.set(token, identity);
        const [oldest] = remembered.keys();
        if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest!);
        return identity;
      },
    );
  }

  async function current(id: string): Promise<Identity | undefined> {
    const record = await store.token(id);
    return record === null ? undefined : toIdentity(record, store);
  }

  return {
    async mint(record, by) {
      const { id: issuer, key } = await store.issuer();
      const token = await new SignJWT({ scope: record.scopes.join(' ') })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(record.createdBy)
        .setJti(record.id)
        .setIssuedAt(new Date(record.createdAt))
        .setExpirationTime(new Date(record.expiresAt))
        .sign(key);
      await store.addToken(record, by);
      return token;
    },
    find(token, now, { beforeAsking } = {}) {
      const known = remembered.get(token);
      if (known === undefined) return verify(token, now, beforeAsking);
      if (known.expiresAt > now) return known;
      remembered.delete(token);
      return undefined;
    },
    current,
    forget(affects) {
      fresh.changed();
      for (const [token, identity] of remembered) if (affects(identity)) remembered.delete(token);
    },
  };
}

/** A token never has more rights than its creator has now. */
async function toIdentity(record: TokenRecord, store: CredentialStore): Promise<Identity | undefined> {
  const { createdBy } = record;
  const maker = createdBy === COMMAND_LINE ? OWNER_OF_THE_MACHINE : await store.user(createdBy);
  if (!maker || maker.disabled) return undefined;
  return {
    kind: 'token',
    name: `${createdBy} (token ${record.name})`,
    username: createdBy,
    ...rightsOf(maker, record.scopes),
    unrestricted: record.unrestricted && maker.role === 'admin',
    credential: tokenCredential(record.id),
    token: { id: record.id, name: record.name },
    expiresAt: Date.parse(record.expiresAt),
    mustChangePassword: false,
  };
}

const OWNER_OF_THE_MACHINE = { role: 'admin', instances: [], disabled: false } as const;
