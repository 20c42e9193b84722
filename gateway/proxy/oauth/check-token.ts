import { createLocalJWKSet, errors, type JWK, jwtVerify } from 'jose';
import type { DaemonDirectory } from '../daemons/directory.ts';
import type { Grants } from './grants.ts';
import { resourceOf } from './resources.ts';
import { publicPart, SIGNING_ALGORITHM } from './signing-keys.ts';

export interface CheckedToken {
  accountId: string;
  grantId: string;
  clientId: string;
  scopes: string[];
  expiresAt: Date;
}

/** Checks an access token of this proxy for one daemon: signature, expiry, audience, owner, not revoked. Undefined if it is not valid. */
export type CheckToken = (token: string, daemonId: string) => Promise<CheckedToken | undefined>;

export interface TokenCheckOptions {
  keys: readonly JWK[];
  grants: Grants;
  daemons: DaemonDirectory;
  issuer: string;
  /** Milliseconds. */
  now: () => number;
}

/** Checks access tokens (RFC 9068) without asking anybody but the database, for revoked grants. */
export interface TokenCheck {
  forDaemon: CheckToken;
  /** The same for another audience. */
  forAudience(token: string, audience: string): Promise<CheckedToken | undefined>;
}

export function createTokenCheck({ keys, grants, daemons, issuer, now }: TokenCheckOptions): TokenCheck {
  const keySet = createLocalJWKSet({ keys: keys.map(publicPart) });

  async function forAudience(token: string, audience: string): Promise<CheckedToken | undefined> {
    try {
      const { payload } = await jwtVerify(token, keySet, {
        algorithms: [SIGNING_ALGORITHM],
        typ: 'at+jwt',
        issuer,
        audience,
        requiredClaims: ['exp', 'sub', 'client_id', 'grant_id'],
        currentDate: new Date(now()),
      });
      const { sub = '', exp = 0, client_id: clientId, grant_id: grantId, scope } = payload;
      if (typeof grantId !== 'string' || typeof clientId !== 'string' || (await grants.isRevoked(grantId)))
        return undefined;
      const scopes = typeof scope === 'string' ? scope.split(' ') : [];
      return { accountId: sub, grantId, clientId, scopes, expiresAt: new Date(exp * 1000) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return {
    forAudience,
    async forDaemon(token, daemonId) {
      const checked = await forAudience(token, resourceOf(daemonId));
      // It may have been linked to another account since.
      const daemon = checked && (await daemons.find(daemonId));
      return daemon?.accountId === checked?.accountId ? checked : undefined;
    },
  };
}
