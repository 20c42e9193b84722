import type { Role, Scope } from '../../shared/domain/scope.ts';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';

/**
 * Who may call an operation.
 * - `public`: no credentials needed, none looked at.
 * - `scope`: any credential with that scope, and a user of at least `role` where one is named.
 * - `panel`: a signed-in user of at least that role, or the local administrator; never a token.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'scope'; scope: Scope; role?: Role; openOnLoopback?: boolean }
  | { kind: 'panel'; role: Role };

export const PUBLIC: Access = { kind: 'public' };

export function needs(scope: Scope, role?: Role): Access {
  return role === undefined ? { kind: 'scope', scope } : { kind: 'scope', scope, role };
}

export function panelOnly(role: Role): Access {
  return { kind: 'panel', role };
}

/** An answer as the OpenAPI document shows it beyond its schema. */
export interface AnswerNote {
  description: string;
  /** For answers that are not JSON. */
  contentType?: string;
  /** Header name to what it says. */
  headers?: Readonly<Record<string, string>>;
}

/** What a route says of itself: read by the access check and by the OpenAPI document. */
export interface Operation {
  /** Unique within a family; the client generator's method name. */
  id: string;
  summary: string;
  description?: string;
  tag: string;
  access: Access;
  /** Error codes beyond those that any operation can answer with. */
  errors?: readonly ErrorCode[];
  answers?: Readonly<Record<number, AnswerNote>>;
  /** Not counted against the rate limit. */
  unlimited?: boolean;
  /** Usable while the first password still has to be changed. */
  beforePasswordChange?: boolean;
  /** Answers an upgrade to WebSocket; any other operation refuses one. */
  webSocket?: boolean;
  /** Accepts a cookie without an Origin header, because it is how one gets a cookie. */
  signsIn?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}
