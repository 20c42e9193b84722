import { createHash } from 'node:crypto';
import { generatePassword } from '../generated-password.ts';

/** The parameters that every authenticator app supports (RFC 6238; RFC 4226, section 5.3). */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** How many time steps a phone's clock may be off in either direction (RFC 6238, section 5.2). */
const WINDOW = 1;
const RECOVERY_CODES = 10;

/** Returns a new secret in base32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await otpauth();
  return new Secret().base32;
}

/** Returns the `otpauth://` address of a secret, for a QR code or an app on the same device. `label`: the account, as the app shows it. */
export async function totpUri(secret: string, label: string): Promise<string> {
  const { Secret, TOTP } = await otpauth();
  return new TOTP({ ...KIND, issuer: 'Gamekeeper', label, secret: Secret.fromBase32(secret) }).toString();
}

/** Resolves to the time step that the code belongs to; to `null` if it is wrong. `timestamp` in milliseconds. */
export async function totpStepOf(secret: string, code: string, timestamp: number): Promise<number | null> {
  const { Secret, TOTP } = await otpauth();
  const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
  const token = code.replaceAll(' ', '');
  // otpauth compares bytes, and throws if six characters are more than six bytes.
  if (!/^\d+$/.test(token)) return null;
  const delta = totp.validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, generatePassword);
}

/** Returns what is stored of a recovery code. Dashes and case do not matter. 79 random bits need no slow hash. */
export function recoveryCodeHash(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex');
}

/** Loaded only when a second factor is used. */
function otpauth() {
  return import('otpauth');
}
