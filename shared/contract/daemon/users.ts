import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { type Grant, INSTANCE_ROLES } from '../../domain/grant.ts';
import { ROLES, type Role } from '../../domain/scope.ts';
import { asSent, type CallContext } from '../call.ts';

export interface NewUser {
  username: string;
  role: Role;
  /** scrypt hash in PHC-like form (shared/node/password-hash). */
  passwordHash: string;
  mustChangePassword: boolean;
  /** Which instances there are for the user; an administrator has every one. */
  instances: Grant[];
}

export interface UserRecord extends NewUser {
  /** May not sign in, and tokens of this user count for nothing. */
  disabled: boolean;
  /** Signs in with a one-time code as well. */
  totp: boolean;
  /** Codes left that stand in for one. */
  recoveryCodes: number;
  /** Absent for users of an earlier version. */
  createdAt?: string;
}

export type UserChange = {
  [Key in 'role' | 'passwordHash' | 'mustChangePassword' | 'instances' | 'disabled']?: UserRecord[Key] | undefined;
};

/** Who there is, with which password and second factor. */
export interface DaemonUsers {
  /** By name. */
  users(): UserRecord[];
  user(username: string): UserRecord | null;
  /** Throws `user_exists`, and `invalid_request` for a grant on an instance that is not there. */
  addUser(user: NewUser): void;
  /**
   * Ends the user's sessions where the password changes or the user is disabled. Throws `user_not_found`, `last_administrator`, and
   * `invalid_request` for a grant on an instance that is not there.
   */
  updateUser(request: { username: string; change: UserChange }): void;
  /** With sessions and tokens. Throws `user_not_found` and `last_administrator`. */
  removeUser(username: string): void;
  setPassword(request: { username: string; passwordHash: string; mustChangePassword: boolean }): void;
  /** A new secret for an authenticator app, which counts once it is confirmed. Throws `invalid_state` where one counts already. */
  beginTotp(username: string): Promise<{ secret: string; uri: string }>;
  /** Resolves to recovery codes; to `null` for a wrong code. Throws `invalid_state` where there is nothing to confirm. */
  confirmTotp(request: { username: string; code: string }): Promise<string[] | null>;
  /** Uses up a one-time code or a recovery code. False where it is wrong or used up. */
  useSecondFactor(request: { username: string; code: string }): Promise<boolean>;
  /** With the recovery codes. */
  removeTotp(username: string): void;
  /** Resolves to new recovery codes, in place of those that there were. Throws `invalid_state` without a second factor. */
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
