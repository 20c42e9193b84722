import { COMMAND_LINE } from '../../shared/domain/local-administrator.ts';
import { SCOPES } from '../../shared/domain/scope.ts';
import { type Holder, ON_EVERY_INSTANCE } from './rights.ts';

/**
 * Who makes a request and what they may do, however they proved it. Its own role and scopes are for what belongs to no instance; for an
 * instance ask rightsOn.
 */
export interface Identity extends Holder {
  kind: 'local' | 'session' | 'token' | 'oauth';
  /** For the audit. */
  name: string;
  /** The user of the panel; of a token, the user who made it. */
  username: string;
  /** True for local administrators, who alone decide what runs and where (api.md, Create body). */
  unrestricted: boolean;
  /** Names the credential itself: limits count by it, and a revocation finds what it opened. */
  credential: string;
  /** Milliseconds since the epoch; what was opened with the credential ends with it. */
  expiresAt: number;
  mustChangePassword: boolean;
  /** Of an OAuth token: the proxy that vouches for it. */
  issuer?: string;
}

/** Whoever may open the private socket (mode 0600) owns this installation. */
export const LOCAL_ADMINISTRATOR: Identity = {
  kind: 'local',
  name: COMMAND_LINE,
  username: COMMAND_LINE,
  role: 'admin',
  scopes: new Set(SCOPES),
  instances: ON_EVERY_INSTANCE,
  unrestricted: true,
  credential: 'local',
  expiresAt: Number.POSITIVE_INFINITY,
  mustChangePassword: false,
};

export function sessionCredential(tokenHash: string): string {
  return `session:${tokenHash}`;
}

/** Of a session's identity: how the session is stored. */
export function tokenHashOf({ credential }: Identity): string {
  return credential.slice(sessionCredential('').length);
}

export function tokenCredential(id: string): string {
  return `token:${id}`;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs; `null` on routes that need no credentials. */
    identity: Identity | null;
    /** On those: the user whom it turned out to be about. For the audit. */
    actor: string | null;
  }
}
