import * as z from 'zod';
import { ROLES, SCOPES } from '../domain/access/scope.ts';
import { grants } from './grants.ts';
import { displayName } from './printable-line.ts';

/** No composition rules (NIST SP 800-63B). The upper bound keeps scrypt's input small. */
export const password = z.string().min(8).max(256);

export const loginRequest = z
  .strictObject({
    username: z.string().min(1).max(64),
    password: z.string().min(1).max(256),
    totp: z.string().max(32).optional().describe('One-time code of the authenticator app, or a recovery code'),
  })
  .meta({ id: 'LoginRequest' });

export const loginResponse = z
  .object({ username: z.string(), role: z.enum(ROLES), expiresAt: z.iso.datetime(), mustChangePassword: z.boolean() })
  .meta({ id: 'LoginResponse' });

export const sessionInfo = loginResponse
  .extend({
    instances: grants,
    totp: z.boolean().describe('Whether sign-in needs a one-time code'),
    recoveryCodes: z.int().describe('Recovery codes left'),
    lanAddresses: z.array(z.string()).describe('IPv4 addresses of this computer, where players on its networks join'),
    proxy: z
      .string()
      .optional()
      .describe(
        'Address of the hosted proxy that the panel is used through. Operations for signed-in users are not there',
      ),
  })
  .meta({ id: 'Session' });
export type SessionInfo = z.infer<typeof sessionInfo>;

export const logoutRequest = z
  .strictObject({ everywhere: z.boolean().default(false).describe('End every session of the user') })
  .prefault({})
  .meta({ id: 'LogoutRequest' });

export const changePassword = z
  .strictObject({ currentPassword: z.string().min(1).max(256), newPassword: password })
  .meta({ id: 'ChangePassword' });

const DAY_SECONDS = 86_400;
export const createToken = z
  .strictObject({
    name: displayName,
    scopes: z.array(z.enum(SCOPES)).min(1).optional(),
    ttlSeconds: z
      .int()
      .min(60)
      .max(365 * DAY_SECONDS)
      .default(30 * DAY_SECONDS),
  })
  .meta({ id: 'CreateToken' });
export type CreateToken = z.infer<typeof createToken>;

/** A token without its secret, which only `createdToken` has. */
export const tokenInfo = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    createdBy: z.string(),
    unrestricted: z
      .boolean()
      .describe(
        'true: created without naming scopes. It may also do what no scope covers, such as set which programs run',
      ),
  })
  .meta({ id: 'Token' });
export type TokenInfo = z.infer<typeof tokenInfo>;

export const createdToken = z
  .object({
    id: z.string(),
    token: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'CreatedToken' });
export type CreatedToken = z.infer<typeof createdToken>;
