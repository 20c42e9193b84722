import { COMMAND_LINE } from '../../shared/domain/access/local-administrator.ts';
import { type Holder, ON_EVERY_INSTANCE } from '../../shared/domain/access/rights.ts';
import { SCOPES, type Scope } from '../../shared/domain/access/scope.ts';
import type { VerifiedUser } from '../upstream/credential-store.ts';

/** The caller of a request. Its own role and scopes apply outside of instances; for an instance, use `rightsOn`. */
export interface Identity extends Holder {
  kind: 'local' | 'session' | 'token' | 'oauth';
  name: string;
  /** The user; for a token, the user who created it. */
  username: string;
  /** True for local administrators: only they may set `launch`, `directory`, `env` and `runAs`. */
  unrestricted: boolean;
  /** Identifies the credential: rate limits count by it, and a revocation closes what it opened. */
  credential: string;
  /** Milliseconds since the epoch. Connections that were opened with the credential close then. */
  expiresAt: number;
  mustChangePassword: boolean;
  /** For a bearer token. */
  token?: { id: string; name: string };
  /** For a session: `UserRecord.version` when the rights were read. */
  version?: string;
  oauth?: OAuthGrant;
}

/** What an OAuth token says. */
export interface OAuthGrant {
  /** The proxy that issued it. */
  issuer: string;
  /** The program's id there. */
  client: string;
  /** All tokens of one consent share it, over refreshes. */
  grantId?: string;
  /** Milliseconds since the epoch. */
  issuedAt: number;
  /** Before they are cut to the ceiling of the pairing. */
  scopes: readonly Scope[];
}

/** Anyone who can open the private socket (mode 0600) owns this installation. */
export const LOCAL_ADMINISTRATOR: Identity = {
  kind: 'local',
  name: COMMAND_LINE,
  username: COMMAND_LINE,
  role: 'admin',
  scopes: new Set(SCOPES),
  files: 'write',
  instances: ON_EVERY_INSTANCE,
  unrestricted: true,
  credential: 'local',
  expiresAt: Number.POSITIVE_INFINITY,
  mustChangePassword: false,
};

export function sessionCredential(tokenHash: string): string {
  return `session:${tokenHash}`;
}

function tokenHashOf({ credential }: Identity): string {
  return credential.slice(sessionCredential('').length);
}

export function tokenCredential(id: string): string {
  return `token:${id}`;
}

/** Returns what the daemon compares before it makes a change for a signed-in user. A token never passes: it has no session. */
export function verifiedUser(identity: Identity): VerifiedUser {
  const { username, version = 'none' } = identity;
  return { username, version, tokenHash: tokenHashOf(identity) };
}

/** The same for changes that the local administrator may make as well. */
export function verifiedOrLocal(identity: Identity): VerifiedUser | null {
  return identity.kind === 'local' ? null : verifiedUser(identity);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs; `null` on routes that need no credentials. */
    identity: Identity | null;
    /** Only on those routes: the user that the request is about, for the audit log. Set by the handler. */
    actor: string | null;
    /** `Credentials.changes` before the identity was established. */
    credentialChanges: number;
  }
}
