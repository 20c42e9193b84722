import * as z from 'zod';

/** Shown in place of a secret. Sent back, it keeps the secret. */
export const MASKED = '********';

/** A string that is never shown. It is marked in its schema, so that `maskSecrets` finds it. */
export function secret() {
  return z.string().min(1).meta({ secret: true, writeOnly: true });
}
