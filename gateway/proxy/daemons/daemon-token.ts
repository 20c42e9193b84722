import { errors, importJWK, jwtVerify } from 'jose';
import type { DaemonDirectory, RegisteredDaemon } from './directory.ts';

const TYPE = 'gamekeeper-link+jwt';
const ALGORITHM = 'EdDSA';
/** The longest life of a token, and how far clocks may be apart. Seconds. */
const LONGEST_LIFE_S = 60;
const CLOCK_TOLERANCE_S = 30;
const LONGEST_ID = 128;

/** Checks the tokens that daemons sign with their own key. Each is accepted once. */
export interface DaemonTokens {
  /** Resolves to the daemon, or `undefined` if the token is not valid for it. */
  check(token: string, daemonId: string): Promise<RegisteredDaemon | undefined>;
}

export interface DaemonTokensOptions {
  directory: DaemonDirectory;
  issuer: string;
  /** Milliseconds. */
  now: () => number;
}

export function createDaemonTokens({ directory, issuer, now }: DaemonTokensOptions): DaemonTokens {
  /** Ids of accepted tokens, with the time from which they would be refused anyway. Seconds. */
  const used = new Map<string, number>();

  /** Returns false if the id was used before. Only ids of valid tokens are remembered. */
  function useUp(id: string, expiresAt: number, at: number): boolean {
    // In the order of use, which is nearly the order of expiry.
    for (const [known, until] of used) {
      if (until >= at) break;
      used.delete(known);
    }
    if (used.has(id)) return false;
    used.set(id, expiresAt + CLOCK_TOLERANCE_S);
    return true;
  }

  return {
    async check(token, daemonId) {
      const daemon = await directory.find(daemonId);
      if (!daemon) return undefined;
      try {
        const { payload } = await jwtVerify(token, await importJWK(daemon.publicKey, ALGORITHM), {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: daemonId,
          subject: daemonId,
          audience: issuer,
          requiredClaims: ['exp', 'iat', 'jti'],
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: new Date(now()),
        });
        const { exp = 0, iat = 0, jti = '' } = payload;
        if (exp - iat > LONGEST_LIFE_S || jti === '' || jti.length > LONGEST_ID) return undefined;
        return useUp(`${daemonId} ${jti}`, exp, now() / 1000) ? daemon : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}
