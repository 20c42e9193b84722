import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { FILE_RIGHTS, type Grant, INSTANCE_ROLES } from '../../domain/access/grant.ts';
import { ROLES, type Role } from '../../domain/access/scope.ts';
import { asSent, type CallContext } from '../call.ts';
import { type SessionRecord, sessionRecord } from './sessions.ts';
import { type VerifiedUser, verifiedUser } from './verified-user.ts';

export interface NewUser {
  username: string;
  role: Role;
  /** scrypt hash (shared/node/passwords/password-hash.ts). */
  passwordHash: string;
  mustChangePassword: boolean;
  /** The instances that the user can see. Administrators see all. */
  instances: Grant[];
}

export interface UserRecord extends NewUser {
  /** Another one after each change of the user, the password or the second factor. No two users have the same. */
  version: string;
  /** The user cannot sign in, and the user's tokens are not valid. */
  disabled: boolean;
  totp: boolean;
  recoveryCodes: number;
  /** Absent for users from an earlier version. */
  createdAt?: string;
}

export type UserChange = {
  [Key in 'role' | 'passwordHash' | 'mustChangePassword' | 'instances' | 'disabled']?: UserRecord[Key] | undefined;
} & {
  /** Removes the second factor and the recovery codes. */
  totp?: false | undefined;
};

/**
 * Every change names who asked for it (`by`), and is refused with `unauthenticated` if that user has changed since, or the session has ended.
 * `null` is the local administrator.
 */
export interface DaemonUsers {
  users(): UserRecord[];
  user(username: string): UserRecord | null;
  /** Throws `user_exists`, and `invalid_request` for a grant on an unknown instance. */
  addUser(request: { user: NewUser; by: VerifiedUser | null }): void;
  /**
   * Ends the user's sessions if the password changes or the user is disabled. Throws `user_not_found`, `last_administrator`, and
   * `invalid_request` for a grant on an unknown instance.
   */
  updateUser(request: { username: string; change: UserChange; by: VerifiedUser | null }): void;
  /** Also removes sessions and tokens. Throws `user_not_found` and `last_administrator`. */
  removeUser(request: { username: string; by: VerifiedUser | null }): void;
  /** Sets the user's own password, and replaces all sessions of the user by a new one. */
  setPassword(request: { passwordHash: string; session: SessionRecord; by: VerifiedUser }): void;
  /**
   * Creates a secret for an authenticator app, which takes effect once it is confirmed. Throws `invalid_state` if there is one in effect.
   */
  beginTotp(by: VerifiedUser): Promise<{ secret: string; uri: string }>;
  /**
   * Ends the user's other sessions, which began without a second factor. Resolves to recovery codes; to `null` for a wrong code. Throws
   * `invalid_state` if there is nothing to confirm.
   */
  confirmTotp(request: { code: string; by: VerifiedUser }): Promise<string[] | null>;
  /** Uses up a one-time code or a recovery code. Returns false if it is wrong or used up. */
  useSecondFactor(request: { username: string; code: string }): Promise<boolean>;
  /** Also removes the recovery codes. */
  removeTotp(by: VerifiedUser): void;
  /** Replaces the recovery codes. Throws `invalid_state` without a second factor. */
  renewRecoveryCodes(by: VerifiedUser): string[];
  removeRecoveryCodes(by: VerifiedUser): void;
}

const t = initTRPC.context<CallContext<DaemonUsers>>().create({ transformer: asSent });
const id = z.string().min(1).max(256);
const user = z.object({
  username: id,
  role: z.enum(ROLES),
  passwordHash: z.string().min(1),
  mustChangePassword: z.boolean(),
  instances: z.array(
    z.union([id, z.object({ id, role: z.enum(INSTANCE_ROLES), files: z.enum(FILE_RIGHTS).exactOptional() })]),
  ),
});
const userChange = user
  .omit({ username: true })
  .extend({ disabled: z.boolean(), totp: z.literal(false) })
  .partial();
const by = verifiedUser.nullable();
const code = z.string().max(64);
const newPassword = z.object({ passwordHash: z.string().min(1), session: sessionRecord, by: verifiedUser });

export const usersRouter = t.router({
  users: t.procedure.query(({ ctx }) => ctx.service.users()),
  user: t.procedure.input(id).query(({ ctx, input }) => ctx.service.user(input)),
  addUser: t.procedure.input(z.object({ user, by })).mutation(({ ctx, input }) => ctx.service.addUser(input)),
  updateUser: t.procedure
    .input(z.object({ username: id, change: userChange, by }))
    .mutation(({ ctx, input }) => ctx.service.updateUser(input)),
  removeUser: t.procedure
    .input(z.object({ username: id, by }))
    .mutation(({ ctx, input }) => ctx.service.removeUser(input)),
  setPassword: t.procedure.input(newPassword).mutation(({ ctx, input }) => ctx.service.setPassword(input)),
  beginTotp: t.procedure.input(verifiedUser).mutation(({ ctx, input }) => ctx.service.beginTotp(input)),
  confirmTotp: t.procedure
    .input(z.object({ code, by: verifiedUser }))
    .mutation(({ ctx, input }) => ctx.service.confirmTotp(input)),
  useSecondFactor: t.procedure
    .input(z.object({ username: id, code }))
    .mutation(({ ctx, input }) => ctx.service.useSecondFactor(input)),
  removeTotp: t.procedure.input(verifiedUser).mutation(({ ctx, input }) => ctx.service.removeTotp(input)),
  renewRecoveryCodes: t.procedure
    .input(verifiedUser)
    .mutation(({ ctx, input }) => ctx.service.renewRecoveryCodes(input)),
  removeRecoveryCodes: t.procedure
    .input(verifiedUser)
    .mutation(({ ctx, input }) => ctx.service.removeRecoveryCodes(input)),
});
