import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { type Grant, INSTANCE_ROLES } from '../domain/grant.ts';
import { PORT_PURPOSES, type PortConflict, type PortUse } from '../domain/port-use.ts';
import type { InstanceRuntime } from '../domain/runtime.ts';
import { ROLES, type Role, SCOPES, type Scope } from '../domain/scope.ts';
import type { OwnSoftware } from '../domain/software/own-software.ts';
import { type ErrorCode, isErrorCode } from '../errors/catalogue.ts';
import type { CodedFailure } from '../errors/gamekeeper-error.ts';
import { type History, type HistoryRange, historyRange } from '../schema/history.ts';
import {
  type CreateInstance,
  createInstance,
  type InstanceConfig,
  type UpdateInstance,
  updateInstance,
} from '../schema/instance.ts';
import { type NewPairing, newPairing, type Pairing } from '../schema/pairing.ts';
import type { Settings } from '../schema/settings.ts';
import { asSent, type CallContext } from './call.ts';
import type { DaemonFigures } from './figures.ts';

/** URLs of the gateway's TCP listeners; `null` while Remote Control is off. */
export interface Listeners {
  panel: string | null;
  remote: string | null;
}

export interface DaemonInfo extends Listeners {
  /** Stable id of this installation; the `iss` of its tokens. */
  daemonId: string;
  pid: number;
  version: string;
  home: string;
  startedAt: string;
  /** Node and the daemon's entry, by which this version is started again. */
  program?: [node: string, entry: string];
}

/** `settings.json` as an editor sees it. */
export interface SettingsDocument {
  /** What the file says, with the defaults of what it does not. Holds secrets. */
  stored: Settings;
  /** What holds: `stored` with the environment over it. */
  current: Settings;
  /** Another one after every change of the file. */
  version: string;
  /** Settings that a variable of the environment decides, whatever is stored, until it is unset. */
  overridden: { key: string; variable: string }[];
}

export interface SettingsUpdate {
  /**
   * JSON Merge Patch (RFC 7396): objects are merged, `null` returns to the default, anything else replaces. `MASKED` in place of a
   * secret leaves the one that is stored, in arrays that of the element with the same `name`.
   */
  change: Record<string, unknown>;
  /** Throws `precondition_failed` when the document has another version by now. */
  version?: string;
}

/** Settings for the gateway to take up, before they are stored; the first of a subscription are those that hold already. */
export interface SettingsOffer {
  id: number;
  settings: Settings;
  /** What to listen on: where the settings say 0, the port that was chosen before, if any. */
  ports: { panel: number; remote: number };
}

/** The gateway's answer: where it listens now, or why everything is as it was. */
export type SettingsTaken = { id: number; listeners: Listeners } | { id: number; failure: CodedFailure };

export interface InstanceRecord {
  config: InstanceConfig;
  /** What is known without asking the supervisor: live while one runs, else the last state. */
  runtime: InstanceRuntime;
  /** Socket of the living supervisor, if there is one. */
  socket: string | null;
}

/** Settings of an instance that its supervisor has found in `server.properties`, or has chosen. */
export interface AdoptedSettings {
  port?: number;
  maxPlayers?: number;
  rcon?: NonNullable<InstanceConfig['rcon']>;
}

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

/** What the holder of a session may do now. */
export type SessionRights = Pick<UserRecord, 'role' | 'instances' | 'mustChangePassword'>;

export interface SessionRecord {
  /** SHA-256 of the cookie's value, hex: the value itself is never stored. */
  tokenHash: string;
  username: string;
  /** ISO times; the sliding end never passes `absoluteExpiresAt`. */
  expiresAt: string;
  absoluteExpiresAt: string;
}

export interface TokenRecord {
  id: string;
  name: string;
  scopes: Scope[];
  /** True when minted without restricting its scopes: only such a token may set launch, directory and env. */
  unrestricted: boolean;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
}

export interface AuditEntry {
  at: string;
  /** With the token that was used, if one was. */
  who: string;
  /** Whose doing it is, where `who` says more than that. */
  username?: string | undefined;
  from: string;
  /** `WS` for a command typed into a console, `CLI` for what the command line asked of the daemon itself. */
  method: string;
  path: string;
  instance?: string | undefined;
  /** First word of a console command. */
  command?: string | undefined;
  status: number;
  requestId: string;
}

/** As it is kept. Later entries have higher ids. */
export interface AuditRecord extends AuditEntry {
  id: number;
}

export interface AuditQuery {
  /** Only entries with lower ids. */
  before?: number | undefined;
  limit: number;
  /** A user name. */
  who?: string | undefined;
  instance?: string | undefined;
}

/** Whether the jobs process is there, for those who would use it but must not start it. */
export interface JobsPresence {
  /** Somebody has needed it, so the daemon keeps it. */
  wanted: boolean;
  /** Where it serves; `null` while it does not. */
  socket: string | null;
}

/** One change of the registry. The first item of a watch is `snapshot`. */
export type InstanceEvent =
  | { type: 'snapshot'; instances: InstanceRecord[] }
  | { type: 'changed'; instance: InstanceRecord }
  | { type: 'removed'; id: string };

/** A change of credentials that living connections must follow at once. */
export type CredentialEvent =
  | { type: 'token-revoked'; id: string }
  | { type: 'session-ended'; tokenHash: string }
  | { type: 'user-changed'; username: string }
  | { type: 'pairing-changed' };

export interface DaemonService {
  info(): DaemonInfo;
  settings(): Settings;
  settingsDocument(): Promise<SettingsDocument>;
  /**
   * Resolves when the change is in force and stored. Throws `invalid_request` naming the key, the value and what is allowed, `port_in_use`,
   * and `invalid_state` where the file cannot be read; then nothing has changed.
   */
  updateSettings(update: SettingsUpdate): Promise<SettingsDocument>;
  /** The settings that hold at once, then after each change. */
  watchSettings(signal: AbortSignal): AsyncIterable<Settings>;
  /** The owner's own kinds of software, as their files say now. */
  ownSoftware(): Promise<OwnSoftware>;
  /** Those of now, then each change. */
  watchOwnSoftware(signal: AbortSignal): AsyncIterable<OwnSoftware>;
  /** For the gateway alone. */
  settingsOffers(signal: AbortSignal): AsyncIterable<SettingsOffer>;
  settingsTaken(answer: SettingsTaken): void;
  instances(): InstanceRecord[];
  /** Throws `instance_not_found`. */
  instance(id: string): InstanceRecord;
  watchInstances(signal: AbortSignal): AsyncIterable<InstanceEvent>;
  createInstance(request: CreateInstance): Promise<InstanceConfig>;
  /** What `createInstance` would make of it in a new folder. Nothing is made, and nothing kept for it. */
  planInstance(request: CreateInstance): Promise<InstanceConfig>;
  /** The same as `createInstance` with a folder that was filled beside those of the instances, and is moved; it stays where this fails. */
  createFromFolder(request: { request: CreateInstance; folder: string }): Promise<InstanceConfig>;
  /**
   * The real path of a folder that an instance could use in place. Throws `invalid_request` saying what is wrong with it, and
   * `instance_exists` where another has it, or a part of it.
   */
  checkFolder(directory: string): Promise<string>;
  updateInstance(request: { id: string; change: UpdateInstance }): Promise<InstanceConfig>;
  /** Makes settings the instance's that its supervisor has come to know; the supervisor has its new configuration when this resolves. */
  adoptSettings(request: { id: string; settings: AdoptedSettings }): Promise<void>;
  /** Leases all ports of a start together, in place of what the instance had leased. Says instead who has one of them. */
  leasePorts(request: { instanceId: string; ports: PortUse[] }): PortConflict | null;
  releasePorts(instanceId: string): void;
  deleteInstance(request: { id: string; files: 'keep' | 'delete'; backups: 'keep' | 'delete' }): Promise<void>;
  /** What an instance used over the last hour, day or week. */
  usageHistory(request: { instanceId: string; range: HistoryRange }): History;
  /** Socket of the instance's supervisor, started first where none runs. */
  supervisor(id: string): Promise<{ socket: string }>;
  /** Socket of the jobs process, started first where it does not run. */
  jobs(): Promise<{ socket: string }>;
  /** The presence at once, then each change. */
  watchJobsPresence(signal: AbortSignal): AsyncIterable<JobsPresence>;
  /** How this process fares, and the others as far as only it knows. */
  figures(): DaemonFigures;
  /** Key that signs bearer tokens (base64url, 256 bit) and the ids of the revoked ones. */
  tokenKey(): { key: string; revoked: string[] };
  watchCredentials(signal: AbortSignal): AsyncIterable<CredentialEvent>;
  tokens(): TokenRecord[];
  token(id: string): TokenRecord | null;
  addToken(record: TokenRecord): void;
  /** Throws `token_not_found`. */
  revokeToken(id: string): void;
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
  /** Ends every session of the user, but for one. */
  endSessionsOf(request: { username: string; exceptTokenHash?: string | undefined }): void;
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
  setPassword(request: { username: string; passwordHash: string; mustChangePassword: boolean }): void;
  session(tokenHash: string): (SessionRecord & SessionRights) | null;
  addSession(record: SessionRecord): void;
  /** Slides the end of a session. */
  extendSession(request: { tokenHash: string; expiresAt: string }): void;
  endSession(tokenHash: string): void;
  audit(entry: AuditEntry): void;
  /** On disk when this resolves: all of them or none. */
  auditBatch(entries: AuditEntry[]): void;
  /** Newest first. */
  auditTrail(query: AuditQuery): AuditRecord[];
  /** The hosted proxy whose access tokens count here; `null` while there is none. */
  pairing(): Pairing | null;
  /** Replaces the pairing that there may be: from then on tokens of the former proxy are worth nothing. */
  setPairing(request: NewPairing): Pairing;
  removePairing(): void;
  /** Ends daemon, gateway and jobs; with servers, each of those first. Yields lines to show while it works. */
  shutdown(withServers: boolean, signal: AbortSignal): AsyncIterable<string>;
}

const t = initTRPC.context<CallContext<DaemonService>>().create({ transformer: asSent });
const id = z.string().min(1).max(256);

const sessionRecord = z.object({
  tokenHash: id,
  username: id,
  expiresAt: z.iso.datetime(),
  absoluteExpiresAt: z.iso.datetime(),
});
const tokenRecord = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  unrestricted: z.boolean(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
const auditEntry = z.object({
  at: z.iso.datetime(),
  who: z.string(),
  username: z.string().optional(),
  from: z.string(),
  method: z.string(),
  path: z.string(),
  instance: z.string().optional(),
  command: z.string().optional(),
  status: z.int(),
  requestId: z.string(),
});
const auditQuery = z.object({
  before: z.int().min(0).optional(),
  limit: z.int().min(1),
  who: z.string().optional(),
  instance: z.string().optional(),
});
const deletion = z.object({ id, files: z.enum(['keep', 'delete']), backups: z.enum(['keep', 'delete']) });
const port = z.int().min(1).max(65_535);
const adoptedSettings = z.object({
  port: port.exactOptional(),
  maxPlayers: z.int().min(1).exactOptional(),
  rcon: z.object({ port, password: z.string(), chosen: z.literal(true).exactOptional() }).exactOptional(),
});
const portUse = z.object({
  purpose: z.enum(PORT_PURPOSES),
  transport: z.enum(['tcp', 'udp']),
  port,
  host: z.string().exactOptional(),
});
const settingsUpdate = z.object({ change: z.record(z.string(), z.unknown()), version: z.string().exactOptional() });
const listeners = z.object({ panel: z.string().nullable(), remote: z.string().nullable() });
const failure = z.object({
  code: z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)),
  detail: z.string(),
  resolution: z.string(),
  retryAfterSeconds: z.number().exactOptional(),
});
const settingsTaken = z.union([
  z.object({ id: z.int(), listeners }),
  z.object({ id: z.int(), failure: failure satisfies z.ZodType<CodedFailure> }),
]);
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

export const daemonRouter = t.router({
  info: t.procedure.query(({ ctx }) => ctx.service.info()),
  settings: t.procedure.query(({ ctx }) => ctx.service.settings()),
  settingsDocument: t.procedure.query(({ ctx }) => ctx.service.settingsDocument()),
  updateSettings: t.procedure.input(settingsUpdate).mutation(({ ctx, input }) => ctx.service.updateSettings(input)),
  ownSoftware: t.procedure.query(({ ctx }) => ctx.service.ownSoftware()),
  watchOwnSoftware: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchOwnSoftware(signal!)),
  watchSettings: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchSettings(signal!)),
  settingsOffers: t.procedure.subscription(({ ctx, signal }) => ctx.service.settingsOffers(signal!)),
  settingsTaken: t.procedure.input(settingsTaken).mutation(({ ctx, input }) => ctx.service.settingsTaken(input)),
  instances: t.procedure.query(({ ctx }) => ctx.service.instances()),
  instance: t.procedure.input(id).query(({ ctx, input }) => ctx.service.instance(input)),
  watchInstances: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchInstances(signal!)),
  createInstance: t.procedure.input(createInstance).mutation(({ ctx, input }) => ctx.service.createInstance(input)),
  planInstance: t.procedure.input(createInstance).query(({ ctx, input }) => ctx.service.planInstance(input)),
  createFromFolder: t.procedure
    .input(z.object({ request: createInstance, folder: z.string() }))
    .mutation(({ ctx, input }) => ctx.service.createFromFolder(input)),
  checkFolder: t.procedure.input(z.string()).query(({ ctx, input }) => ctx.service.checkFolder(input)),
  updateInstance: t.procedure
    .input(z.object({ id, change: updateInstance }))
    .mutation(({ ctx, input }) => ctx.service.updateInstance(input)),
  adoptSettings: t.procedure
    .input(z.object({ id, settings: adoptedSettings }))
    .mutation(({ ctx, input }) => ctx.service.adoptSettings(input)),
  leasePorts: t.procedure
    .input(z.object({ instanceId: id, ports: z.array(portUse) }))
    .mutation(({ ctx, input }) => ctx.service.leasePorts(input)),
  releasePorts: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.releasePorts(input)),
  deleteInstance: t.procedure.input(deletion).mutation(({ ctx, input }) => ctx.service.deleteInstance(input)),
  usageHistory: t.procedure
    .input(z.object({ instanceId: id, range: historyRange }))
    .query(({ ctx, input }) => ctx.service.usageHistory(input)),
  supervisor: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.supervisor(input)),
  jobs: t.procedure.mutation(({ ctx }) => ctx.service.jobs()),
  watchJobsPresence: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchJobsPresence(signal!)),
  figures: t.procedure.query(({ ctx }) => ctx.service.figures()),
  tokenKey: t.procedure.query(({ ctx }) => ctx.service.tokenKey()),
  watchCredentials: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchCredentials(signal!)),
  tokens: t.procedure.query(({ ctx }) => ctx.service.tokens()),
  token: t.procedure.input(id).query(({ ctx, input }) => ctx.service.token(input)),
  addToken: t.procedure.input(tokenRecord).mutation(({ ctx, input }) => ctx.service.addToken(input)),
  revokeToken: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.revokeToken(input)),
  users: t.procedure.query(({ ctx }) => ctx.service.users()),
  addUser: t.procedure.input(user).mutation(({ ctx, input }) => ctx.service.addUser(input)),
  updateUser: t.procedure
    .input(z.object({ username: id, change: userChange }))
    .mutation(({ ctx, input }) => ctx.service.updateUser(input)),
  removeUser: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.removeUser(input)),
  endSessionsOf: t.procedure
    .input(z.object({ username: id, exceptTokenHash: id.optional() }))
    .mutation(({ ctx, input }) => ctx.service.endSessionsOf(input)),
  beginTotp: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.beginTotp(input)),
  confirmTotp: t.procedure.input(factor).mutation(({ ctx, input }) => ctx.service.confirmTotp(input)),
  useSecondFactor: t.procedure.input(factor).mutation(({ ctx, input }) => ctx.service.useSecondFactor(input)),
  removeTotp: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.removeTotp(input)),
  renewRecoveryCodes: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.renewRecoveryCodes(input)),
  removeRecoveryCodes: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.removeRecoveryCodes(input)),
  user: t.procedure.input(id).query(({ ctx, input }) => ctx.service.user(input)),
  setPassword: t.procedure.input(newPassword).mutation(({ ctx, input }) => ctx.service.setPassword(input)),
  session: t.procedure.input(id).query(({ ctx, input }) => ctx.service.session(input)),
  addSession: t.procedure.input(sessionRecord).mutation(({ ctx, input }) => ctx.service.addSession(input)),
  extendSession: t.procedure
    .input(z.object({ tokenHash: id, expiresAt: z.iso.datetime() }))
    .mutation(({ ctx, input }) => ctx.service.extendSession(input)),
  endSession: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.endSession(input)),
  pairing: t.procedure.query(({ ctx }) => ctx.service.pairing()),
  setPairing: t.procedure.input(newPairing).mutation(({ ctx, input }) => ctx.service.setPairing(input)),
  removePairing: t.procedure.mutation(({ ctx }) => ctx.service.removePairing()),
  audit: t.procedure.input(auditEntry).mutation(({ ctx, input }) => ctx.service.audit(input)),
  auditBatch: t.procedure.input(z.array(auditEntry)).mutation(({ ctx, input }) => ctx.service.auditBatch(input)),
  auditTrail: t.procedure.input(auditQuery).query(({ ctx, input }) => ctx.service.auditTrail(input)),
  shutdown: t.procedure
    .input(z.boolean())
    .subscription(({ ctx, input, signal }) => ctx.service.shutdown(input, signal!)),
});

export type DaemonRouter = typeof daemonRouter;
