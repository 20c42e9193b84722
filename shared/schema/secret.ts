import * as z from 'zod';

/** What is shown in place of a secret; written back, it leaves the secret as it is (api.md, Properties and `/api/settings`). */
export const MASKED = '********';

/** A string that is never shown: marked in its schema, so that whoever shows a document need not know its keys. */
export function secret() {
  return z.string().min(1).meta({ secret: true, writeOnly: true });
}
