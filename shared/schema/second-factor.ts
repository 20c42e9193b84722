import * as z from 'zod';

const password = z.string().min(1).max(256).describe('The present one');
const code = z.string().min(1).max(32);

const exactlyOne = 'must be exactly one of "password" and "code"';
const isOne = (body: { password?: unknown; code?: unknown }) =>
  (body.password === undefined) !== (body.code === undefined);

/** Body of POST /api/totp: with the password it begins, with a code it confirms. */
export const totpRequest = z
  .strictObject({ password: password.optional(), code: code.describe('Of the app that has the new secret').optional() })
  .refine(isOne, exactlyOne)
  .meta({ id: 'TotpRequest' });

/** Body of DELETE /api/totp. */
export const removeTotpRequest = z
  .strictObject({ password: password.optional(), code: code.describe('A one-time or a recovery code').optional() })
  .refine(isOne, exactlyOne)
  .meta({ id: 'RemoveTotpRequest' });

export const totpBegun = z
  .object({
    secret: z.string().describe('Base32, for typing'),
    uri: z.string().describe('For a QR code: otpauth://totp/...'),
  })
  .meta({ id: 'TotpBegun', description: 'Shown this once. It counts when it is confirmed with a code.' });

/** Body of POST /api/recovery-codes. */
export const recoveryCodesRequest = z.strictObject({ password }).meta({ id: 'RecoveryCodesRequest' });

export const recoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes', description: 'Each signs in once in place of a one-time code. Shown this once.' });
