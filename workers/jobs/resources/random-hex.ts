import { randomBytes } from 'node:crypto';

/** Returns so many random hexadecimal digits. */
export function randomHex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
}
