import * as z from 'zod';

const password = z.string().min(1).max(256).describe('Your current password');
const code = z.string().min(1).max(32);

const exactlyOne = 'must be exactly one of "password" and "code"';
const isOne = (body: { password?: unknown; code?: unknown }) =>
  (body.password === undefined) !== (body.code === undefined);

/** The password begins the setup, a code confirms it. */
export const totpRequest = z
  .strictObject({
    password: password.optional(),
    code: code.describe('Code from the app with the new secret').optional(),
  })
  .refine(isOne, exactlyOne)
  .meta({ id: 'TotpRequest' });

export const removeTotpRequest = z
  .strictObject({ password: password.optional(), code: code.describe('A one-time code or a recovery code').optional() })
  .refine(isOne, exactlyOne)
  .meta({ id: 'RemoveTotpRequest' });

export const totpBegun = z
  .object({
    secret: z.string().describe('Base32, to type into an app'),
    uri: z.string().describe('otpauth://totp/... URI, for a QR code'),
  })
  .meta({ id: 'TotpBegun', description: 'Shown only once. It takes effect once it is confirmed with a code.' });

export const recoveryCodesRequest = z.strictObject({ password }).meta({ id: 'RecoveryCodesRequest' });

export const recoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes', description: 'Each replaces a one-time code once. Shown only once.' });
