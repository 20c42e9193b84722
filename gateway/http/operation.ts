import type { Role, Scope } from '../../shared/domain/scope.ts';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';

/**
 * Who may call an operation. Where its path names an instance (`/instances/{id}`), the rights on that instance count, and one that is
 * hidden from the caller is not found.
 * - `public`: no credentials needed, none looked at.
 * - `scope`: any credential with that scope, and a user of at least `role` where one is named.
 *   `of: 'anything'`: with that scope on any instance; which one it is about turns out later, and the service checks it.
 *   `of: 'everything'`: only for who sees every instance.
 * - `panel`: a signed-in user of at least that role, or the local administrator; never a token.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'scope'; scope: Scope; role?: Role; of?: 'anything' | 'everything'; openOnLoopback?: boolean }
  | { kind: 'session'; role: Role };

export const PUBLIC: Access = { kind: 'public' };

export function needs(scope: Scope, role?: Role): Access {
  return role === undefined ? { kind: 'scope', scope } : { kind: 'scope', scope, role };
}

export function sessionOnly(role: Role): Access {
  return { kind: 'session', role };
}

/** The errors of every operation that asks the supervisor of an instance. */
export const SUPERVISOR_ERRORS: readonly ErrorCode[] = [
  'instance_not_found',
  'already_in_progress',
  'worker_unavailable',
];

/** The groups of operations, in the order in which they are described. */
export const TAGS = {
  Health: 'Whether the daemon is well.',
  Instances: 'Game servers and how they are configured.',
  Lifecycle: 'Starting and stopping.',
  Console: 'What the game server prints and what is typed into it, redacted.',
  Players: 'Who is online, and what can be done about it.',
  Properties: "The game server's own settings.",
  Backups: 'Archives with their hashes: made, verified, downloaded, restored.',
  Schedules: 'What is done by itself.',
  Mods: 'Mods and plugins from Modrinth.',
  Tunnel: 'The public address of an instance.',
  Software: 'What kinds of game servers there are.',
  Jobs: 'Long work and how far it is.',
  Events: 'What happens, as it happens.',
  'Sign-in': 'Sessions, passwords and second factors.',
  Users: 'Who may sign in, and what they may see and do.',
  Tokens: 'Credentials for programs.',
  Audit: 'Who changed what.',
  Settings: 'How Gamekeeper itself is set up.',
  Panel: "The panel's own paths to the same operations.",
  Service: 'What the daemon says about itself.',
} as const;
export type Tag = keyof typeof TAGS;

/** An answer as the OpenAPI document shows it beyond its schema. */
export interface AnswerNote {
  description: string;
  /** For answers that are not JSON. */
  contentType?: string;
  /** Header name to what it says. */
  headers?: Readonly<Record<string, string>>;
  /** Instead of the one that the schema's own examples make. */
  example?: unknown;
}

/** What a route says of itself: read by the access check and by the OpenAPI document. */
export interface Operation {
  /** Unique within a family; the client generator's method name. */
  id: string;
  summary: string;
  description?: string;
  tag: Tag;
  access: Access;
  /** Error codes beyond those that any operation can answer with. */
  errors?: readonly ErrorCode[];
  answers?: Readonly<Record<number, AnswerNote>>;
  /** Headers that it heeds besides those that every operation does. */
  requestHeaders?: Readonly<Record<string, { description: string; example: string }>>;
  /** Not counted against the rate limit. */
  unlimited?: boolean;
  /** Usable while the first password still has to be changed. */
  beforePasswordChange?: boolean;
  /** Answers an upgrade to WebSocket; any other operation refuses one. */
  webSocket?: boolean;
  /** The console command in a body, for the audit: it keeps the first word. */
  commandIn?: (body: unknown) => string | undefined;
  /** Accepts a cookie without an Origin header, because it is how one gets a cookie. */
  signsIn?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}
