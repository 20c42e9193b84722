import { jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'HS256';
const TYPE = 'gamekeeper-peer+jwt';
const LIFE_SECONDS = 60;
/** A token is used for this long, so that it is not too old when it arrives. */
const USED_MS = 20_000;
/** How far the clocks of two replicas may be apart. */
const TOLERANCE_SECONDS = 30;

/** Proves to another replica that a request comes from one that knows the same secret. */
export interface PeerTokens {
  /** Resolves to a token for one replica. */
  tokenFor(replicaId: string): Promise<string>;
  /** Resolves to whether the token is for this replica, and valid. */
  isValid(token: string): Promise<boolean>;
}

export interface PeerTokensOptions {
  key: Uint8Array;
  /** Of this replica. */
  id: string;
  /** Milliseconds. */
  now: () => number;
}

export function createPeerTokens({ key, id, now }: PeerTokensOptions): PeerTokens {
  const signed = new Map<string, { token: Promise<string>; at: number }>();

  function sign(audience: string): Promise<string> {
    const iat = Math.floor(now() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(id)
      .setAudience(audience)
      .setIssuedAt(iat)
      .setExpirationTime(iat + LIFE_SECONDS)
      .sign(key);
  }

  return {
    tokenFor(replicaId) {
      const known = signed.get(replicaId);
      if (known && now() >= known.at && now() - known.at < USED_MS) return known.token;
      for (const [other, { at }] of signed) if (now() - at >= USED_MS) signed.delete(other);
      const token = sign(replicaId);
      signed.set(replicaId, { token, at: now() });
      return token;
    },
    async isValid(token) {
      try {
        await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          audience: id,
          requiredClaims: ['exp', 'iat'],
          maxTokenAge: LIFE_SECONDS,
          clockTolerance: TOLERANCE_SECONDS,
          currentDate: new Date(now()),
        });
        return true;
      } catch {
        return false;
      }
    },
  };
}
