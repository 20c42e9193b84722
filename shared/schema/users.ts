import * as z from 'zod';
import { EVERY_INSTANCE } from '../domain/access/grant.ts';
import { ROLES } from '../domain/access/scope.ts';
import { password } from './credentials.ts';
import { grants } from './grants.ts';

/**
 * ASCII only, since case does not matter and no name may be mistaken for another. No spaces, which mark names that are not users ("command
 * line" in the audit).
 */
export const username = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, dashes, underscores or @, and begin with a letter or digit',
  );

export const createUser = z
  .strictObject({
    username,
    role: z.enum(ROLES),
    password: password
      .optional()
      .describe('Default: one is generated, shown once, and must be changed at the first sign-in'),
    instances: grants.default([EVERY_INSTANCE]),
    mustChangePassword: z.boolean().optional().describe('Default: true for a generated password, else false'),
  })
  .meta({ id: 'CreateUser' });
export type CreateUser = z.infer<typeof createUser>;

export const updateUser = z
  .strictObject({
    role: z.enum(ROLES),
    password,
    mustChangePassword: z.boolean(),
    instances: grants,
    disabled: z.boolean(),
    totp: z.literal(false).describe('Removes the second factor and the recovery codes'),
  })
  .partial()
  .meta({ id: 'UpdateUser' });
export type UpdateUser = z.infer<typeof updateUser>;

export const user = z
  .object({
    username: z.string(),
    role: z.enum(ROLES),
    instances: grants,
    disabled: z.boolean(),
    mustChangePassword: z.boolean(),
    totp: z.boolean().describe('Whether the user has a second factor'),
    createdAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;

export const createdUser = user
  .extend({ password: z.string().optional().describe('The generated password, shown only once') })
  .meta({ id: 'CreatedUser' });
export type CreatedUser = z.infer<typeof createdUser>;
