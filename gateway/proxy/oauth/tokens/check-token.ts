import { createLocalJWKSet, errors, type JWTVerifyResult, jwtVerify } from 'jose';
import type { Accounts } from '../../accounts/accounts.ts';
import type { DaemonDirectory } from '../../daemons/directory.ts';
import { isDatabaseAway } from '../../store/database.ts';
import type { Grants } from '../grants.ts';
import { SIGNING_ALGORITHM } from '../keys/key-store.ts';
import type { LiveKeys } from '../keys/live-keys.ts';
import { publicPart } from '../keys/public-part.ts';
import { resourceOf } from '../resources.ts';
import type { CheckedToken } from './checked-token.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

export interface TokenCheckOptions {
  keys: LiveKeys;
  grants: Grants;
  daemons: DaemonDirectory;
  accounts: Pick<Accounts, 'find'>;
  issuer: string;
  /** Milliseconds. */
  now: () => number;
}

/** Checks access tokens (RFC 9068) without asking anybody but the database, for revoked grants. */
export interface TokenCheck {
  /** Checks a token for one daemon: signature, expiry, audience, owner, not revoked. Resolves to `undefined` if it is not valid. */
  forDaemon(token: string, daemonId: string): Promise<CheckedToken | undefined>;
  /** The same for another audience: the account must not be disabled. */
  forAudience(token: string, audience: string): Promise<CheckedToken | undefined>;
  /** Returns whether the token was accepted for this daemon before, so that its signature need not be checked again. */
  isKnown(token: string, daemonId: string): boolean;
}

export function createTokenCheck({ keys, grants, daemons, accounts, issuer, now }: TokenCheckOptions): TokenCheck {
  const publicKeys = () => createLocalJWKSet({ keys: keys.ring.signing.map(publicPart) });
  const verified = createVerifiedTokens();
  /** Tokens that were good for a daemon. They stay so while the database is away, and nobody can revoke a grant. */
  const accepted = createVerifiedTokens();
  let keySet = publicKeys();
  keys.onChange(() => {
    keySet = publicKeys();
    verified.clear();
    accepted.clear();
  });

  function verifySignature(token: string, audience: string): Promise<JWTVerifyResult> {
    return jwtVerify(token, keySet, {
      algorithms: [SIGNING_ALGORITHM],
      typ: 'at+jwt',
      issuer,
      audience,
      requiredClaims: ['exp', 'sub', 'client_id', 'grant_id'],
      currentDate: new Date(now()),
    });
  }

  async function verify(token: string, audience: string): Promise<CheckedToken | undefined> {
    try {
      const { payload } = await verifySignature(token, audience).catch(async (error: unknown) => {
        // Another replica may have signed it with a key that is not known here yet.
        if (!(error instanceof errors.JWKSNoMatchingKey) || !(await keys.refresh())) throw error;
        return verifySignature(token, audience);
      });
      const { sub = '', exp = 0, client_id: clientId, grant_id: grantId, scope } = payload;
      if (typeof grantId !== 'string' || typeof clientId !== 'string') return undefined;
      const scopes = typeof scope === 'string' ? scope.split(' ') : [];
      return { accountId: sub, grantId, clientId, scopes, expiresAt: new Date(exp * 1000) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  async function forAudience(token: string, audience: string): Promise<CheckedToken | undefined> {
    const known = verified.find(token, audience, now());
    const checked = known ?? (await verify(token, audience));
    if (!checked) return undefined;
    if (await grants.isRevoked(checked.grantId)) {
      verified.forget(token, audience);
      return undefined;
    }
    if (!known) verified.add(token, audience, checked);
    return checked;
  }

  async function forOwner(token: string, daemonId: string): Promise<CheckedToken | undefined> {
    const checked = await forAudience(token, resourceOf(daemonId));
    // It may have been linked to another account since.
    const daemon = checked && (await daemons.find(daemonId));
    return daemon?.accountId === checked?.accountId ? checked : undefined;
  }

  return {
    async forAudience(token, audience) {
      const checked = await forAudience(token, audience);
      return checked && (await accounts.find(checked.accountId)) ? checked : undefined;
    },
    isKnown: (token, daemonId) => verified.find(token, resourceOf(daemonId), now()) !== undefined,
    async forDaemon(token, daemonId) {
      const audience = resourceOf(daemonId);
      try {
        const checked = await forOwner(token, daemonId);
        if (checked) accepted.add(token, audience, checked);
        else accepted.forget(token, audience);
        return checked;
      } catch (error) {
        const before = isDatabaseAway(error) ? accepted.find(token, audience, now()) : undefined;
        if (!before) throw error;
        return before;
      }
    },
  };
}
