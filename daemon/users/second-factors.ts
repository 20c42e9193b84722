import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { generatePassword } from '../../shared/node/generated-password.ts';
import type { Store } from '../store/store.ts';

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

/** `now` returns an ISO time. */
export function createSecondFactors(
  { users, secondFactors }: Pick<Store, 'users' | 'secondFactors'>,
  now: () => string,
): SecondFactors {
  /** Returns the name as it is stored, because names are not case-sensitive. */
  function nameOf(username: string): string {
    const user = users.find(username);
    if (!user) throw new GamekeeperError('user_not_found', `There is no user "${username}".`);
    return user.username;
  }

  /** Uses up the code and all older ones. Resolves to false if it is wrong or used already (CVE-2025-69197). */
  async function useCode(username: string, { secret, code }: { secret: string; code: string }): Promise<boolean> {
    const { Secret, TOTP } = await otpauth();
    const timestamp = Date.parse(now());
    const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
    const delta = totp.validate({ token: code.replaceAll(' ', ''), timestamp, window: WINDOW });
    // The secret may have been replaced meanwhile.
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
        throw new GamekeeperError('invalid_state', 'You already have a second factor.', {
          resolution: 'Remove it first: DELETE /api/totp.',
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
          resolution: 'Begin with your password: POST /api/totp.',
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
        throw new GamekeeperError('invalid_state', 'You have no second factor, so you need no recovery codes.', {
          resolution: 'Set one up first: POST /api/totp.',
        });
      return renew(name);
    },
    removeRecoveryCodes: (username) => secondFactors.setRecoveryCodes(nameOf(username), []),
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
