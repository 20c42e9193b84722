import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { asSent, type CallContext } from '../call.ts';
import { type VerifiedUser, verifiedUser } from './verified-user.ts';

export interface SshKeyRecord {
  id: string;
  label: string;
  /** Such as `ssh-ed25519`. */
  type: string;
  base64: string;
  /** `SHA256:` and 43 characters. */
  fingerprint: string;
  createdAt: string;
}

/** Public keys of users, for SFTP. `by` as in `DaemonUsers`. */
export interface DaemonSshKeys {
  /** Returns none for a user who does not exist. */
  sshKeys(username: string): SshKeyRecord[];
  /** Throws `user_not_found`, and `invalid_state` if the user has the key or too many of them. */
  addSshKey(request: { username: string; key: SshKeyRecord; by: VerifiedUser | null }): void;
  /** Ends the sessions that began with it. Throws `ssh_key_not_found`. */
  removeSshKey(request: { username: string; id: string; by: VerifiedUser | null }): void;
}

const t = initTRPC.context<CallContext<DaemonSshKeys>>().create({ transformer: asSent });
const name = z.string().min(1).max(256);
const by = verifiedUser.nullable();
const key = z.object({
  id: name,
  label: z.string().max(256),
  type: z.string().max(64),
  base64: z.string().max(8_192),
  fingerprint: z.string().max(64),
  createdAt: z.iso.datetime(),
});

export const sshKeysRouter = t.router({
  sshKeys: t.procedure.input(name).query(({ ctx, input }) => ctx.service.sshKeys(input)),
  addSshKey: t.procedure
    .input(z.object({ username: name, key, by }))
    .mutation(({ ctx, input }) => ctx.service.addSshKey(input)),
  removeSshKey: t.procedure
    .input(z.object({ username: name, id: name, by }))
    .mutation(({ ctx, input }) => ctx.service.removeSshKey(input)),
});
