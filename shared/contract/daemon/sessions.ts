import * as z from 'zod';

export interface SessionRecord {
  /** SHA-256 of the cookie's value, hex. The value itself is not stored. */
  tokenHash: string;
  username: string;
  /** ISO times. `expiresAt` slides, up to `absoluteExpiresAt`. */
  expiresAt: string;
  absoluteExpiresAt: string;
}

const id = z.string().min(1).max(256);

export const sessionRecord = z.object({
  tokenHash: id,
  username: id,
  expiresAt: z.iso.datetime(),
  absoluteExpiresAt: z.iso.datetime(),
});
