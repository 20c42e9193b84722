import { hostname } from 'node:os';
import type { CredentialEvent } from '../../shared/contract/daemon/credentials.ts';
import type { VerifiedUser } from '../../shared/contract/daemon/verified-user.ts';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpStepOf,
  totpUri,
} from '../../shared/node/passwords/one-time-codes.ts';
import type { Store } from '../store/store.ts';
import { requireVerified } from './require-verified.ts';

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

  /**
   * Uses up the step and all older ones. Returns false if it was used already (CVE-2025-69197), or if the secret was replaced since the step
   * was found.
   */
  function useStep(username: string, secret: string, step: number): boolean {
    return secondFactors.totp(username)?.secret === secret && secondFactors.useStep(username, step);
  }

  function renew(username: string): string[] {
    const codes = newRecoveryCodes();
    secondFactors.setRecoveryCodes(username, codes.map(recoveryCodeHash));
    return codes;
  }

  return {
    async beginTotp(by) {
      const secret = await newTotpSecret();
      store.transaction(() => {
        requireVerified(store, by, now());
        if (secondFactors.totp(by.username)?.confirmed)
          throw new GamekeeperError('invalid_state', 'You already have a second factor.', {
            resolution: 'Remove it first: DELETE /api/totp.',
          });
        secondFactors.setTotp(by.username, secret);
      });
      return { secret, uri: await totpUri(secret, `${by.username} on ${hostname()}`) };
    },
    async confirmTotp({ code, by }) {
      const { username, tokenHash } = by;
      const totp = secondFactors.totp(username);
      if (!totp || totp.confirmed)
        throw new GamekeeperError('invalid_state', 'There is no second factor to confirm.', {
          resolution: 'Begin with your password: POST /api/totp.',
        });
      const { secret } = totp;
      const step = await totpStepOf(secret, code, Date.parse(now()));
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
      const step = await totpStepOf(totp.secret, code, Date.parse(now()));
      const isStep = step !== null && useStep(username, totp.secret, step);
      return isStep || secondFactors.useRecoveryCode(username, recoveryCodeHash(code));
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
