import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { type Grant, INSTANCE_ROLES } from '../../domain/grant.ts';
import { ROLES, type Role } from '../../domain/scope.ts';
import { asSent, type CallContext } from '../call.ts';

export interface NewUser {
  username: string;
  role: Role;
  /** scrypt hash (shared/node/password-hash.ts). */
  passwordHash: string;
  mustChangePassword: boolean;
  /** The instances that the user can see. Administrators see all. */
  instances: Grant[];
}

export interface UserRecord extends NewUser {
  /** The user cannot sign in, and the user's tokens are not valid. */
  disabled: boolean;
  totp: boolean;
  recoveryCodes: number;
  /** Absent for users from an earlier version. */
  createdAt?: string;
}

export type UserChange = {
  [Key in 'role' | 'passwordHash' | 'mustChangePassword' | 'instances' | 'disabled']?: UserRecord[Key] | undefined;
};

export interface DaemonUsers {
  users(): UserRecord[];
  user(username: string): UserRecord | null;
  /** Throws `user_exists`, and `invalid_request` for a grant on an unknown instance. */
  addUser(user: NewUser): void;
  /**
   * Ends the user's sessions if the password changes or the user is disabled. Throws `user_not_found`, `last_administrator`, and
   * `invalid_request` for a grant on an unknown instance.
   */
  updateUser(request: { username: string; change: UserChange }): void;
  /** Also removes sessions and tokens. Throws `user_not_found` and `last_administrator`. */
  removeUser(username: string): void;
  setPassword(request: { username: string; passwordHash: string; mustChangePassword: boolean }): void;
  /**
   * Creates a secret for an authenticator app, which takes effect once it is confirmed. Throws `invalid_state` if there is one in effect.
   */
  beginTotp(username: string): Promise<{ secret: string; uri: string }>;
  /** Resolves to recovery codes; to `null` for a wrong code. Throws `invalid_state` if there is nothing to confirm. */
  confirmTotp(request: { username: string; code: string }): Promise<string[] | null>;
  /** Uses up a one-time code or a recovery code. Returns false if it is wrong or used up. */
  useSecondFactor(request: { username: string; code: string }): Promise<boolean>;
  /** Also removes the recovery codes. */
  removeTotp(username: string): void;
  /** Replaces the recovery codes. Throws `invalid_state` without a second factor. */
  renewRecoveryCodes(username: string): string[];
  removeRecoveryCodes(username: string): void;
}

const t = initTRPC.context<CallContext<DaemonUsers>>().create({ transformer: asSent });
const id = z.string().min(1).max(256);
const user = z.object({
  username: id,
  role: z.enum(ROLES),
  passwordHash: z.string().min(1),
  mustChangePassword: z.boolean(),
  instances: z.array(z.union([id, z.object({ id, role: z.enum(INSTANCE_ROLES) })])),
});
const userChange = user.omit({ username: true }).extend({ disabled: z.boolean() }).partial();
const factor = z.object({ username: id, code: z.string().max(64) });
const newPassword = z.object({ username: id, passwordHash: z.string().min(1), mustChangePassword: z.boolean() });

export const usersRouter = t.router({
  users: t.procedure.query(({ ctx }) => ctx.service.users()),
  user: t.procedure.input(id).query(({ ctx, input }) => ctx.service.user(input)),
  addUser: t.procedure.input(user).mutation(({ ctx, input }) => ctx.service.addUser(input)),
  updateUser: t.procedure
    .input(z.object({ username: id, change: userChange }))
    .mutation(({ ctx, input }) => ctx.service.updateUser(input)),
  removeUser: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.removeUser(input)),
  setPassword: t.procedure.input(newPassword).mutation(({ ctx, input }) => ctx.service.setPassword(input)),
  beginTotp: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.beginTotp(input)),
  confirmTotp: t.procedure.input(factor).mutation(({ ctx, input }) => ctx.service.confirmTotp(input)),
  useSecondFactor: t.procedure.input(factor).mutation(({ ctx, input }) => ctx.service.useSecondFactor(input)),
  removeTotp: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.removeTotp(input)),
  renewRecoveryCodes: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.renewRecoveryCodes(input)),
  removeRecoveryCodes: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.removeRecoveryCodes(input)),
});
