import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { CredentialEvent } from '../../shared/contract/daemon/credentials.ts';
import type { VerifiedUser } from '../../shared/contract/daemon/verified-user.ts';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { generatePassword } from '../../shared/node/generated-password.ts';
import type { Store } from '../store/store.ts';
import { requireVerified } from './require-verified.ts';

/** The parameters that every authenticator app supports (RFC 6238; RFC 4226, section 5.3). */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** How many time steps a phone's clock may be off in either direction (RFC 6238, section 5.2). */
const WINDOW = 1;
const RECOVERY_CODES = 10;

/** The calls of the daemon about second factors. Their secrets leave this process only once, when they are shown to the user. */
export type SecondFactors = Pick<
  DaemonService,
  'beginTotp' | 'confirmTotp' | 'useSecondFactor' | 'removeTotp' | 'renewRecoveryCodes' | 'removeRecoveryCodes'
>;

export interface SecondFactorsOptions {
  /** Returns an ISO time. */
  now: () => string;
  publish: (event: CredentialEvent) => void;
}

export function createSecondFactors(
  store: Pick<Store, 'users' | 'secondFactors' | 'sessions' | 'transaction'>,
  { now, publish }: SecondFactorsOptions,
): SecondFactors {
  const { users, secondFactors, sessions } = store;

  /** Runs `work` for the user, and gives the user another version. */
  function change<T>(by: VerifiedUser, work: () => T): T {
    const result = store.transaction(() => {
      requireVerified(store, by, now());
      const done = work();
      users.renewVersion(by.username);
      return done;
    });
    publish({ type: 'user-changed', username: by.username });
    return result;
  }

  /** Resolves to the time step that the code belongs to; to `null` if it is wrong. */
  async function stepOf(secret: string, code: string): Promise<number | null> {
    const { Secret, TOTP } = await otpauth();
    const timestamp = Date.parse(now());
    const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
    const token = code.replaceAll(' ', '');
    // otpauth compares bytes, and throws if six characters are more than six bytes.
    if (!/^\d+$/.test(token)) return null;
    const delta = totp.validate({ token, timestamp, window: WINDOW });
    return delta === null ? null : totp.counter({ timestamp }) + delta;
  }

  /**
   * Uses up the step and all older ones. Returns false if it was used already (CVE-2025-69197), or if the secret was replaced since the step
   * was found.
   */
  function useStep(username: string, secret: string, step: number): boolean {
    return secondFactors.totp(username)?.secret === secret && secondFactors.useStep(username, step);
  }

  function renew(username: string): string[] {
    const codes = Array.from({ length: RECOVERY_CODES }, generatePassword);
    secondFactors.setRecoveryCodes(username, codes.map(hashOf));
    return codes;
  }

  return {
    async beginTotp(by) {
      const { Secret, TOTP } = await otpauth();
      const secret = new Secret();
      store.transaction(() => {
        requireVerified(store, by, now());
        if (secondFactors.totp(by.username)?.confirmed)
          throw new GamekeeperError('invalid_state', 'You already have a second factor.', {
            resolution: 'Remove it first: DELETE /api/totp.',
          });
        secondFactors.setTotp(by.username, secret.base32);
      });
      const label = `${by.username} on ${hostname()}`;
      return { secret: secret.base32, uri: new TOTP({ ...KIND, issuer: 'Gamekeeper', label, secret }).toString() };
    },
    async confirmTotp({ code, by }) {
      const { username, tokenHash } = by;
      const totp = secondFactors.totp(username);
      if (!totp || totp.confirmed)
        throw new GamekeeperError('invalid_state', 'There is no second factor to confirm.', {
          resolution: 'Begin with your password: POST /api/totp.',
        });
      const { secret } = totp;
      const step = await stepOf(secret, code);
      if (step === null) return null;
      return change(by, () => {
        if (!useStep(username, secret, step)) return null;
        secondFactors.confirmTotp(username, secret);
        sessions.endAllOf(username, tokenHash);
        return renew(username);
      });
    },
    async useSecondFactor({ username, code }) {
      const totp = secondFactors.totp(username);
      if (!totp?.confirmed) return false;
      const step = await stepOf(totp.secret, code);
      const isStep = step !== null && useStep(username, totp.secret, step);
      return isStep || secondFactors.useRecoveryCode(username, hashOf(code));
    },
    removeTotp: (by) => change(by, () => secondFactors.remove(by.username)),
    renewRecoveryCodes: (by) =>
      change(by, () => {
        if (!secondFactors.totp(by.username)?.confirmed)
          throw new GamekeeperError('invalid_state', 'You have no second factor, so you need no recovery codes.', {
            resolution: 'Set one up first: POST /api/totp.',
          });
        return renew(by.username);
      }),
    removeRecoveryCodes: (by) => change(by, () => secondFactors.setRecoveryCodes(by.username, [])),
  };
}

/** Loaded only when a second factor is used. */
function otpauth() {
  return import('otpauth');
}

/** Dashes and case do not matter. 79 random bits need no slow hash. */
function hashOf(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex');
}
