import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { SCOPES, type Scope } from '../../domain/access/scope.ts';
import { type NewPairing, newPairing, type Pairing } from '../../schema/pairing.ts';
import { asSent, type CallContext } from '../call.ts';
import { type SessionRecord, sessionRecord } from './sessions.ts';
import type { UserRecord } from './users.ts';
import { type VerifiedUser, verifiedUser } from './verified-user.ts';

export type SessionRights = Pick<UserRecord, 'role' | 'instances' | 'mustChangePassword' | 'version'>;

export interface TokenRecord {
  id: string;
  name: string;
  scopes: Scope[];
  /** True if created without limiting its scopes: only such a token may set `launch`, `directory`, `env` and `runAs`. */
  unrestricted: boolean;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
}

/** A change that open connections must follow at once. */
export type CredentialEvent =
  | { type: 'token-revoked'; id: string }
  | { type: 'session-ended'; tokenHash: string }
  | { type: 'user-changed'; username: string }
  | { type: 'pairing-changed' }
  /** Grants of the paired proxy that are revoked. */
  | { type: 'grants-ended'; grantIds: string[] };

/** Sessions, bearer tokens, and the pairing with a hosted proxy. `by` as in `DaemonUsers`. */
export interface DaemonCredentials {
  watchCredentials(signal: AbortSignal): AsyncIterable<CredentialEvent>;
  /** Returns the key that signs bearer tokens (base64url, 256 bit), and the ids of revoked tokens. */
  tokenKey(): { key: string; revoked: string[] };
  tokens(): TokenRecord[];
  token(id: string): TokenRecord | null;
  addToken(request: { token: TokenRecord; by: VerifiedUser | null }): void;
  /** Throws `token_not_found`. */
  revokeToken(request: { id: string; by: VerifiedUser | null }): void;
  session(tokenHash: string): (SessionRecord & SessionRights) | null;
  addSession(request: { session: SessionRecord; by: VerifiedUser }): void;
  extendSession(request: { tokenHash: string; expiresAt: string }): void;
  endSession(tokenHash: string): void;
  endSessionsOf(username: string): void;
  /** Returns the paired proxy; `null` if there is none. */
  pairing(): Pairing | null;
  /** Replaces the pairing. Tokens of the former proxy are no longer valid. */
  setPairing(request: NewPairing): Pairing;
  removePairing(): void;
}

const t = initTRPC.context<CallContext<DaemonCredentials>>().create({ transformer: asSent });
const id = z.string().min(1).max(256);
const tokenRecord = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  unrestricted: z.boolean(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
const by = verifiedUser.nullable();

export const credentialsRouter = t.router({
  watchCredentials: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchCredentials(signal!)),
  tokenKey: t.procedure.query(({ ctx }) => ctx.service.tokenKey()),
  tokens: t.procedure.query(({ ctx }) => ctx.service.tokens()),
  token: t.procedure.input(id).query(({ ctx, input }) => ctx.service.token(input)),
  addToken: t.procedure
    .input(z.object({ token: tokenRecord, by }))
    .mutation(({ ctx, input }) => ctx.service.addToken(input)),
  revokeToken: t.procedure.input(z.object({ id, by })).mutation(({ ctx, input }) => ctx.service.revokeToken(input)),
  session: t.procedure.input(id).query(({ ctx, input }) => ctx.service.session(input)),
  addSession: t.procedure
    .input(z.object({ session: sessionRecord, by: verifiedUser }))
    .mutation(({ ctx, input }) => ctx.service.addSession(input)),
  extendSession: t.procedure
    .input(z.object({ tokenHash: id, expiresAt: z.iso.datetime() }))
    .mutation(({ ctx, input }) => ctx.service.extendSession(input)),
  endSession: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.endSession(input)),
  endSessionsOf: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.endSessionsOf(input)),
  pairing: t.procedure.query(({ ctx }) => ctx.service.pairing()),
  setPairing: t.procedure.input(newPairing).mutation(({ ctx, input }) => ctx.service.setPairing(input)),
  removePairing: t.procedure.mutation(({ ctx }) => ctx.service.removePairing()),
});
