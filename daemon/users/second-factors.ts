import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { generatePassword } from '../../shared/node/generated-password.ts';
import type { Store } from '../store/store.ts';

/** What every authenticator app understands (RFC 6238; RFC 4226, section 5.3). */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps before and behind the present one that are taken: phones' clocks differ (RFC 6238, section 5.2). */
const WINDOW = 1;
const RECOVERY_CODES = 10;

/** The part of the daemon's contract that is about second factors. Their secrets do not leave this process, but for the first showing. */
export type SecondFactors = Pick<
  DaemonService,
  'beginTotp' | 'confirmTotp' | 'useSecondFactor' | 'removeTotp' | 'renewRecoveryCodes' | 'removeRecoveryCodes'
>;

/** `now` answers an ISO time. */
export function createSecondFactors(
  { users, secondFactors }: Pick<Store, 'users' | 'secondFactors'>,
  now: () => string,
): SecondFactors {
  /** Of the user whose name this is, in whatever case. */
  function nameOf(username: string): string {
    const user = users.find(username);
    if (!user) throw new GamekeeperError('user_not_found', `There is no user "${username}".`);
    return user.username;
  }

  /** Uses the code up, and with it all older ones; false where it is wrong or used up (CVE-2025-69197). */
  async function useCode(username: string, { secret, code }: { secret: string; code: string }): Promise<boolean> {
    const { Secret, TOTP } = await otpauth();
    const timestamp = Date.parse(now());
    const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
    const delta = totp.validate({ token: code.replaceAll(' ', ''), timestamp, window: WINDOW });
    // The secret may have become another one while this one was looked at.
    if (delta === null || secondFactors.totp(username)?.secret !== secret) return false;
    return secondFactors.useStep(username, totp.counter({ timestamp }) + delta);
  }

  function renew(username: string): string[] {
    const codes = Array.from({ length: RECOVERY_CODES }, generatePassword);
    secondFactors.setRecoveryCodes(username, codes.map(hashOf));
    return codes;
  }

  return {
    async beginTotp(username) {
      const name = nameOf(username);
      if (secondFactors.totp(name)?.confirmed)
        throw new GamekeeperError('invalid_state', 'You have a second factor already.', {
          resolution: 'Take the present one away first, at DELETE /api/totp.',
        });
      const { Secret, TOTP } = await otpauth();
      const secret = new Secret();
      secondFactors.setTotp(name, secret.base32);
      const uri = new TOTP({ ...KIND, issuer: 'Gamekeeper', label: `${name} on ${hostname()}`, secret }).toString();
      return { secret: secret.base32, uri };
    },
    async confirmTotp({ username, code }) {
      const name = nameOf(username);
      const totp = secondFactors.totp(name);
      if (!totp || totp.confirmed)
        throw new GamekeeperError('invalid_state', 'There is no second factor to confirm.', {
          resolution: 'Begin with your password at POST /api/totp.',
        });
      const isRight = await useCode(name, { secret: totp.secret, code });
      return isRight && secondFactors.confirmTotp(name, totp.secret) ? renew(name) : null;
    },
    async useSecondFactor({ username, code }) {
      const totp = secondFactors.totp(username);
      if (!totp?.confirmed) return false;
      return (
        (await useCode(username, { secret: totp.secret, code })) ||
        secondFactors.useRecoveryCode(username, hashOf(code))
      );
    },
    removeTotp: (username) => secondFactors.remove(nameOf(username)),
    renewRecoveryCodes(username) {
      const name = nameOf(username);
      if (!secondFactors.totp(name)?.confirmed)
        throw new GamekeeperError('invalid_state', 'Recovery codes stand in for a second factor, and you have none.', {
          resolution: 'Set one up at POST /api/totp.',
        });
      return renew(name);
    },
    removeRecoveryCodes: (username) => secondFactors.setRecoveryCodes(nameOf(username), []),
  };
}

/** Only who has a second factor needs it in memory. */
function otpauth() {
  return import('otpauth');
}

/** 79 random bits need no slow hash. However it is typed, with or without dashes. */
function hashOf(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex');
}
