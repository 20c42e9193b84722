import { decodeJwt, errors, importJWK, type JWTPayload, jwtVerify } from 'jose';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { LINK_TOKEN } from '../../../shared/node/link/protocol.ts';
import type { DaemonDirectory, RegisteredDaemon } from './directory.ts';

/** How far the clocks of proxy and daemon may be apart. */
const TOLERANCE_SECONDS = 30;
const LONGEST_ID = 128;

export interface DaemonTokensOptions {
  directory: Pick<DaemonDirectory, 'find' | 'isDisabled'>;
  issuer: string;
  /** Milliseconds. */
  now: () => number;
}

/** What a token must have been signed for. */
export interface TokenPurpose {
  typ: string;
  audience: string;
}

/** Checks the tokens that daemons sign with their own key, for links and for requests. */
export interface DaemonTokens {
  /** Resolves to the daemon whose key has signed the token. Throws `unauthenticated` or `daemon_unknown`. A token is good for one time. */
  redeem(token: string, daemonId: string, purpose?: TokenPurpose): Promise<RegisteredDaemon>;
  /** Checks a token against a key that is not registered yet. Throws `unauthenticated` unless its owner has signed it just now. */
  prove(token: string, daemon: Pick<RegisteredDaemon, 'daemonId' | 'publicKey'>): Promise<void>;
}

export function createDaemonTokens({ directory, issuer, now }: DaemonTokensOptions): DaemonTokens {
  /** Used ids, in the order of their use, with the time from which their tokens are too old anyway. Seconds. */
  const used = new Map<string, number>();

  function useUp(id: string, until: number): void {
    const seconds = now() / 1000;
    for (const [known, end] of used) {
      if (end > seconds) break;
      used.delete(known);
    }
    if (used.has(id)) throw refused('The token was used before.');
    used.set(id, until);
  }

  const forLinks: TokenPurpose = { typ: LINK_TOKEN.typ, audience: issuer };

  async function prove(
    token: string,
    daemon: Pick<RegisteredDaemon, 'daemonId' | 'publicKey'>,
    purpose = forLinks,
  ): Promise<void> {
    const { exp = 0, iat = 0, jti = '' } = await verified(token, daemon, { ...purpose, now: now() });
    if (exp - iat > LINK_TOKEN.seconds || jti === '' || jti.length > LONGEST_ID)
      throw refused('The token is not valid.');
    useUp(`${daemon.daemonId} ${jti}`, now() / 1000 + LINK_TOKEN.seconds + 2 * TOLERANCE_SECONDS);
  }

  return {
    async redeem(token, daemonId, purpose) {
      // Read before it is verified, so that a token for somebody else costs no look-up.
      if (claimedId(token) !== daemonId) throw refused('The token is not for this daemon.');
      const daemon = await directory.find(daemonId);
      // It stays linked, so it must not take this for a removal.
      if (!daemon && (await directory.isDisabled(daemonId)))
        throw refused('The account of this daemon is disabled at the proxy.', 'Ask whoever runs the proxy.');
      if (!daemon)
        throw new GamekeeperError('daemon_unknown', 'This daemon is not linked to an account of this proxy.');
      await prove(token, daemon, purpose);
      return daemon;
    },
    prove: (token, daemon) => prove(token, daemon),
  };
}

async function verified(
  token: string,
  { daemonId, publicKey }: Pick<RegisteredDaemon, 'daemonId' | 'publicKey'>,
  { typ, audience, now }: TokenPurpose & { now: number },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, await importJWK(publicKey, LINK_TOKEN.alg), {
      algorithms: [LINK_TOKEN.alg],
      typ,
      issuer: daemonId,
      subject: daemonId,
      audience,
      requiredClaims: ['exp', 'iat', 'jti'],
      // Also refuses a token from the future.
      maxTokenAge: LINK_TOKEN.seconds,
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    // The signature is checked before the claims, so only the daemon itself learns about its clock.
    if (
      error instanceof errors.JWTExpired ||
      (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iat')
    )
      throw refused(
        'The token is too old or from the future.',
        'Correct the clock of the computer that runs Gamekeeper.',
      );
    throw refused('The token is not valid.');
  }
}

function claimedId(token: string): string | undefined {
  try {
    return decodeJwt(token).sub;
  } catch {
    return undefined;
  }
}

function refused(detail: string, resolution = 'Link this daemon again with "gamekeeper link".'): GamekeeperError {
  return new GamekeeperError('unauthenticated', detail, { resolution });
}
