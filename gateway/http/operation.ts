import type { FastifyRequest } from 'fastify';
import type { FileRight } from '../../shared/domain/access/grant.ts';
import type { Role, Scope } from '../../shared/domain/access/scope.ts';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';
import type { Work } from '../work/work-table.ts';

/**
 * Who may call an operation. If its path names an instance (`/instances/{id}`) the rights on that instance count; a hidden instance is 404.
 * - `public`: no credentials needed, none checked.
 * - `scope`: any credential with that scope, and for users at least `role`. `of: 'anything'`: the scope on any instance suffices; the
 *   service checks the instance once it is known. `of: 'everything'`: only for callers who see every instance.
 * - `session`: a signed-in user of at least that role, or the local administrator; never a token.
 */
export type Access =
  | { kind: 'public' }
  | {
      kind: 'scope';
      scope: Scope;
      role?: Role;
      /** The right to the files of the instance. Administrators have it, others by a grant. */
      files?: FileRight;
      of?: 'anything' | 'everything';
      openOnLoopback?: boolean;
    }
  | { kind: 'session'; role: Role };

export const PUBLIC: Access = { kind: 'public' };

export function needs(scope: Scope, role?: Role): Access {
  return role === undefined ? { kind: 'scope', scope } : { kind: 'scope', scope, role };
}

/** For operations on the files of an instance. */
export function needsFiles(files: FileRight): Access {
  return { kind: 'scope', scope: 'servers:write', files };
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

export const TAGS = {
  Health: 'Whether the daemon is running.',
  Instances: 'Game servers and their configuration.',
  Lifecycle: 'Start, stop, restart and kill.',
  Console: 'The redacted output of a game server, and commands.',
  Players: 'Players online, player actions, and the lists of bans, operators and allowed players.',
  Properties: "The game server's own settings (`server.properties`).",
  Files: 'The files of an instance. Whoever writes them can make the server run any program.',
  Backups: 'Create, verify, download and restore archives.',
  Schedules: 'Actions at set times.',
  Mods: 'Mods and plugins from Modrinth.',
  Tunnel: 'The public address of an instance.',
  Software: 'Kinds of game servers, their versions, and Java runtimes.',
  Jobs: 'Long work and its progress.',
  Events: 'A live stream of changes.',
  'Sign-in': 'Sessions, passwords and second factors.',
  Users: 'Users, their roles and the instances they can see.',
  Tokens: 'Credentials for programs.',
  Audit: 'Who changed what, and when.',
  Settings: 'The settings of Gamekeeper itself.',
  Link: 'Remote access through a hosted proxy.',
  Panel: 'Console tickets, and the same operations under `/api` for the web panel.',
  Service: 'This description, and metrics.',
} as const;
export type Tag = keyof typeof TAGS;

/** Documents a response in the OpenAPI document, besides its schema. */
export interface AnswerNote {
  description: string;
  /** Default: JSON. */
  contentType?: string;
  headers?: Readonly<Record<string, string>>;
  /** Default: derived from the schema. */
  example?: unknown;
}

/** Describes a route to the access check, the audit and the OpenAPI document. */
export interface Operation {
  /** Unique within a family. Client generators name their methods after it. */
  id: string;
  summary: string;
  description?: string;
  tag: Tag;
  access: Access;
  /** Error codes besides those that any operation can return. */
  errors?: readonly ErrorCode[];
  answers?: Readonly<Record<number, AnswerNote>>;
  /** Request headers that it reads besides those that every operation does. */
  requestHeaders?: Readonly<Record<string, { description: string; example: string }>>;
  /** Not counted as a request. Only for a public operation that costs next to nothing. */
  unlimited?: boolean;
  /** The body is a file, of any type. */
  upload?: true;
  /** The row of the table in work/work-table.ts that limits how much of it may be under way. Absent: it ends at once. */
  work?: Work | ((request: FastifyRequest) => Work);
  /** Allowed while the generated password still has to be changed. */
  beforePasswordChange?: boolean;
  /** Accepts an upgrade to WebSocket; other operations refuse it. */
  webSocket?: boolean;
  /** Returns the console command in a body, for the audit, which keeps its first word. */
  commandIn?: (body: unknown) => string | undefined;
  /** Accepts a cookie without an Origin header, since this is how a client gets its cookie. */
  signsIn?: boolean;
}

/** The options of a route for a page. */
export const PAGE = { config: { page: true } } as const;

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** A page for anybody: the same for every caller, without data. */
    page?: true;
  }
}
