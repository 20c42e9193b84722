import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { SCOPES, type Scope } from '../domain/access/scope.ts';
import { JAVA_VERSIONS, type JavaVersion } from '../domain/java/java-version.ts';
import { MOST_ACCOUNTS } from '../domain/players/account.ts';
import { BACKUP_REASONS, type Backup, type BackupReason, type VerifyResponse } from '../schema/backup.ts';
import type { FileDifferences } from '../schema/backup-files.ts';
import { type CloneInstance, cloneInstance } from '../schema/clone.ts';
import { type FileList, MOST_FILE_ENTRIES } from '../schema/files.ts';
import { type ImportInstance, importInstance, type Recognition } from '../schema/import.ts';
import type { Job } from '../schema/job.ts';
import {
  type CreateFromModpack,
  createFromModpack,
  type ModpackSearch,
  type ModpackVersion,
} from '../schema/modpacks.ts';
import { installMod, type ModChanges, type ModList, type ModSearch, updateMods } from '../schema/mods.ts';
import { type KnownSkins, textureName } from '../schema/player-skins.ts';
import type { Runtime, RuntimeUpdate } from '../schema/runtime.ts';
import { type Schedule, type ScheduleInput, type ScheduleRun, setSchedules } from '../schema/schedule.ts';
import type { SoftwareVersions } from '../schema/software-versions.ts';
import { asSent, type CallContext } from './call.ts';
import type { JobsStats } from './stats.ts';

/** What was installed for a start, as absolute paths. */
export interface Provisioned {
  /** The Java program, for software that runs on Java and instances with a `javaVersion`. */
  java?: string;
  javaVersion?: string;
  /** The owner's JVM options, such as `@user_jvm_args.txt`. */
  javaOptions?: string[];
  /** Java arguments that start the program, for software that runs on Java. */
  start?: string[];
  /** A program that needs no Java. */
  program?: string;
  /** The instance's settings that it was installed for. Absent in records of earlier versions, and if nothing had to be installed. */
  settings?: { version: string; javaVersion?: JavaVersion };
}

const modOrder = z.discriminatedUnion('type', [
  installMod.extend({ type: z.literal('install') }),
  updateMods.extend({ type: z.literal('update') }),
  /** `mod`: a project or a file. */
  z.object({ type: z.literal('remove'), mod: z.string().max(256), force: z.boolean() }),
]);
export type ModOrder = z.infer<typeof modOrder>;

/** The first item of a watch is `snapshot`. */
export type JobEvent = { type: 'snapshot'; jobs: Job[] } | { type: 'changed'; job: Job };

/** The user who saves schedules. They run with this user's present rights. */
export interface ScheduleOwner {
  username: string;
  /** The token that was used, if any: its end pauses them. Absent in those that earlier versions stored: they keep running. */
  token?: { id: string; name: string } | undefined;
  /** `proxy`: a user of the hosted proxy, not of this daemon. */
  kind: 'user' | 'local' | 'proxy';
  /** The proxy, for `proxy`. */
  issuer?: string | undefined;
  /** What let the program in, for `proxy`: its end pauses them. Absent if the proxy does not name grants. */
  grant?: { id: string; client: string } | undefined;
  scopes: Scope[];
}

/** An import by the process that imports. `uploadedAs`: the archive was uploaded under this name, and is removed when it is imported. */
export type ImportOrder = z.infer<typeof importOrder>;

/** A new instance from an import, and what was recognised in its folder. */
export interface Imported {
  id: string;
  recognised: Recognition;
}

/** All schedules of an instance. `version` changes with them. */
export interface ScheduleList {
  schedules: Schedule[];
  version: string;
}

export interface BackupsRequest {
  instanceId: string;
  /** The id of a backup, which need not exist. */
  before?: string | undefined;
  limit?: number | undefined;
}

/** A file or folder in a backup. `path` is relative to the instance's folder, with `/`; '' is the folder itself. */
export interface BackupPath {
  instanceId: string;
  backupId: string;
  path: string;
}

export interface BackupFile {
  sizeBytes: number;
  modifiedAt: string;
}

export interface JobsService {
  /** Installs missing software and Java. Yields progress lines, then the result. */
  provision(instanceId: string, signal: AbortSignal): AsyncIterable<{ progress: string } | { done: Provisioned }>;
  /** Recognises the server in a folder or an archive without changing anything. Throws if it cannot be imported. */
  recognise(order: ImportOrder): Promise<Recognition>;
  /** Creates an instance from a folder, which is used in place and not changed. Throws `invalid_request` naming what is missing. */
  importFolder(request: ImportInstance): Promise<Imported>;
  /** Copies an instance. When it is done the job names the new one. Throws `instance_exists`. */
  startClone(request: CloneInstance & { instanceId: string }): Promise<Job>;
  /** Unpacks an archive and creates an instance from it. When it is done, the job names the instance. */
  startImport(order: ImportOrder): Promise<Job>;
  imported(jobId: string): Imported | null;
  /** Finds modpacks at Modrinth. Throws `vendor_unavailable`, like the next two. */
  searchModpacks(
    request: { query: string; offset: number; limit: number },
    signal: AbortSignal,
  ): Promise<ModpackSearch>;
  /** Throws `mod_not_found`. */
  modpackVersions(project: string, signal: AbortSignal): Promise<ModpackVersion[]>;
  /**
   * Creates an instance from a modpack. When it is done, the job names the instance. Throws `mod_not_found`, `version_not_found` and
   * `instance_exists`.
   */
  startModpack(request: CreateFromModpack, signal: AbortSignal): Promise<Job>;
  /** Writes an instance's folder as a ZIP to a local socket. A listener that disconnects ends the job. */
  startExport(request: { instanceId: string; socket: string }): Promise<Job>;
  /** Writes a folder inside an instance's folder as a ZIP to a local socket. Throws `file_not_found` and `invalid_path`. */
  startFolderDownload(request: { instanceId: string; path: string; socket: string }): Promise<Job>;
  /**
   * Creates a ZIP inside an instance's folder from what is in a folder of it, or from `names` of that. Throws as `startFolderDownload`, and
   * `file_exists`; the job fails with these and `insufficient_storage`.
   */
  startArchive(request: { instanceId: string; path: string; names?: string[] | undefined; to: string }): Promise<Job>;
  /** Unpacks a ZIP inside an instance's folder. Throws as `startFolderDownload`; the job fails with `file_exists`, `invalid_request` and others. */
  startExtract(request: { instanceId: string; path: string; to: string }): Promise<Job>;
  /**
   * Replaces a world by the one in a ZIP inside the instance's folder. Throws `invalid_state` while the server runs, and as `startExtract`; the job
   * fails with `invalid_request` if the archive contains no world, or several.
   */
  startWorldReplacement(request: { instanceId: string; folder: string; archive: string }): Promise<Job>;
  /** Empties a world, so that the game creates a new one, and sets `level-seed` if there is a seed. Throws `invalid_state` while the server runs; the job fails with `file_not_found`. */
  startWorldReset(request: { instanceId: string; folder: string; seed?: string | undefined }): Promise<Job>;
  /**
   * Asks the vendor, or returns its last known answer if the vendor cannot be reached. Throws `software_not_found`, and
   * `vendor_unavailable` if there is none.
   */
  softwareVersions(kind: string, signal: AbortSignal): Promise<SoftwareVersions>;
  runtimes(): Promise<Runtime[]>;
  /** Installs the newest build of an installed version, for later starts. Throws `runtime_not_found` and `vendor_unavailable`. */
  updateRuntime(javaVersion: JavaVersion, signal: AbortSignal): Promise<RuntimeUpdate>;
  /** Removes one version, or all unused ones. Returns the removed versions. Throws `runtime_not_found` and `runtime_in_use`. */
  removeRuntimes(request: { javaVersion?: JavaVersion | undefined }): Promise<JavaVersion[]>;
  /** Queues the work and resolves to its job at once. Throws if the request cannot be carried out. */
  startBackup(request: { instanceId: string; cloudReplicate: boolean; reason: BackupReason }): Promise<Job>;
  startVerify(request: { instanceId: string; backupId: string }): Promise<Job>;
  /** With `restart`, a running server is stopped for it, and started again. Otherwise it must be stopped. */
  startRestore(request: { instanceId: string; backupId: string; restart?: boolean | undefined }): Promise<Job>;
  /** Restores only some files and folders. Throws `file_not_found` and `invalid_path`. */
  startFileRestore(
    request: { instanceId: string; backupId: string; paths: string[] },
    signal: AbortSignal,
  ): Promise<Job>;
  /** Tests a restore in a scratch folder. The result is in the catalogue. */
  startDrill(request: { instanceId: string; backupId: string }): Promise<Job>;
  /** Resolves when the job has ended. Throws what made it fail. */
  waitForJob(jobId: string, signal: AbortSignal): Promise<Job>;
  verification(jobId: string): VerifyResponse | null;
  jobs(): Job[];
  job(jobId: string): Job | null;
  /** Yields every change of state, and progress twice a second. */
  watchJobs(signal: AbortSignal): AsyncIterable<JobEvent>;
  cancel(jobId: string): void;
  /** Newest first: at most `limit` of those older than `before`. Without them, all. */
  backups(request: BackupsRequest): Promise<Backup[]>;
  /** Throws `backup_not_found`. */
  backup(request: { instanceId: string; backupId: string }): Promise<Backup>;
  archivePath(request: { instanceId: string; backupId: string }): string;
  setPinned(request: { instanceId: string; backupId: string; pinned: boolean }): Promise<Backup>;
  /** Queues a copy to every store that lacks it, and retries failed copies. */
  replicate(request: { instanceId: string; backupId: string }): Promise<Backup>;
  deleteBackup(request: { instanceId: string; backupId: string }): Promise<void>;
  /** Lists a folder in a backup, after the first `skip` entries. Throws `file_not_found` and `invalid_path`, like the next three. */
  backupFiles(request: BackupPath & { skip: number; limit: number }, signal: AbortSignal): Promise<FileList>;
  /** Compares a file or folder with today's, after the path `after`. */
  compareBackup(
    request: BackupPath & { after?: string | undefined; limit: number },
    signal: AbortSignal,
  ): Promise<FileDifferences>;
  backupFile(request: BackupPath, signal: AbortSignal): Promise<BackupFile>;
  /**
   * Writes the content of a file in a backup to a local socket. Resolves when all of it is sent. The last bytes are only sent once the
   * checksum is right.
   */
  sendBackupFile(request: BackupPath & { socket: string }, signal: AbortSignal): Promise<void>;
  /** Writes, reads and removes a small object. Throws `store_not_found`, `store_refused` or `store_unavailable`. */
  testStore(name: string, signal: AbortSignal): Promise<void>;
  stats(): JobsStats;
  schedules(instanceId: string): Promise<ScheduleList>;
  /**
   * Replaces all schedules. Unchanged ones keep their owner. Throws `precondition_failed` if `version` is outdated, `insufficient_scope`
   * for an action that `by` may not do, `invalid_request` for a time that never comes.
   */
  setSchedules(request: {
    instanceId: string;
    schedules: ScheduleInput[];
    version?: string | undefined;
    by: ScheduleOwner;
  }): Promise<ScheduleList>;
  /** Resolves to the ids of the instances with a schedule that does not run although it is enabled. */
  pausedSchedules(): Promise<string[]>;
  /** Newest first. */
  scheduleHistory(instanceId: string): ScheduleRun[];
  watchScheduleRuns(signal: AbortSignal): AsyncIterable<{ instanceId: string; run: ScheduleRun }>;
  /** Does not call Modrinth. Throws `mods_unsupported`, like everything about mods. */
  mods(instanceId: string): Promise<ModList>;
  /** Searches Modrinth for what fits the instance. Throws `vendor_unavailable`. */
  searchMods(
    request: { instanceId: string; query: string; offset: number; limit: number },
    signal: AbortSignal,
  ): Promise<ModSearch>;
  /** Runs after other changes of the same instance. The job fails with `mod_not_found`, `mod_conflict` and others. */
  startModChange(request: { instanceId: string; order: ModOrder }): Promise<Job>;
  /** Returns the result of such a job; `null` if it failed or ended too long ago. */
  modChanges(jobId: string): ModChanges | null;
  /**
   * Returns the skins on disk of accounts, and fetches the others from Mojang in the background. Does neither while the setting
   * `players.skins` is off.
   */
  skins(uuids: string[]): Promise<KnownSkins>;
  /** Returns a skin on disk, a PNG; `null` if there is none. */
  skin(texture: string): Promise<Uint8Array | null>;
  /**
   * Ends all work on an instance and forgets what was installed for it. `backups` also deletes its backups, which otherwise stay for a new
   * instance with the same id; `mods` discards changes that wait for its folder.
   */
  forgetInstance(request: { instanceId: string; backups: boolean; mods: boolean }): Promise<void>;
}

const t = initTRPC.context<CallContext<JobsService>>().create({ transformer: asSent });
const id = z.string().max(256);
const importOrder = importInstance.safeExtend({ uploadedAs: z.string().optional() });
const ofBackup = z.object({ instanceId: id, backupId: id });
const ofBackupPath = ofBackup.extend({ path: z.string().max(16_384) });
const scheduleOwner = z.object({
  username: z.string(),
  token: z.object({ id: z.string(), name: z.string() }).optional(),
  kind: z.enum(['user', 'local', 'proxy']),
  issuer: z.string().optional(),
  grant: z.object({ id: z.string(), client: z.string() }).optional(),
  scopes: z.array(z.enum(SCOPES)),
});

export const jobsRouter = t.router({
  provision: t.procedure.input(id).subscription(({ ctx, input, signal }) => ctx.service.provision(input, signal!)),
  recognise: t.procedure.input(importOrder).query(({ ctx, input }) => ctx.service.recognise(input)),
  importFolder: t.procedure.input(importInstance).mutation(({ ctx, input }) => ctx.service.importFolder(input)),
  startClone: t.procedure
    .input(cloneInstance.extend({ instanceId: id }))
    .mutation(({ ctx, input }) => ctx.service.startClone(input)),
  startImport: t.procedure.input(importOrder).mutation(({ ctx, input }) => ctx.service.startImport(input)),
  imported: t.procedure.input(id).query(({ ctx, input }) => ctx.service.imported(input)),
  searchModpacks: t.procedure
    .input(z.object({ query: z.string(), offset: z.int(), limit: z.int() }))
    .query(({ ctx, input, signal }) => ctx.service.searchModpacks(input, signal!)),
  modpackVersions: t.procedure.input(id).query(({ ctx, input, signal }) => ctx.service.modpackVersions(input, signal!)),
  startModpack: t.procedure
    .input(createFromModpack)
    .mutation(({ ctx, input, signal }) => ctx.service.startModpack(input, signal!)),
  startExport: t.procedure
    .input(z.object({ instanceId: id, socket: z.string() }))
    .mutation(({ ctx, input }) => ctx.service.startExport(input)),
  startFolderDownload: t.procedure
    .input(z.object({ instanceId: id, path: z.string().max(16_384), socket: z.string() }))
    .mutation(({ ctx, input }) => ctx.service.startFolderDownload(input)),
  startArchive: t.procedure
    .input(
      z.object({
        instanceId: id,
        path: z.string().max(16_384),
        names: z.array(z.string()).optional(),
        to: z.string().max(16_384),
      }),
    )
    .mutation(({ ctx, input }) => ctx.service.startArchive(input)),
  startExtract: t.procedure
    .input(z.object({ instanceId: id, path: z.string().max(16_384), to: z.string().max(16_384) }))
    .mutation(({ ctx, input }) => ctx.service.startExtract(input)),
  startWorldReplacement: t.procedure
    .input(z.object({ instanceId: id, folder: id, archive: z.string().max(16_384) }))
    .mutation(({ ctx, input }) => ctx.service.startWorldReplacement(input)),
  startWorldReset: t.procedure
    .input(z.object({ instanceId: id, folder: id, seed: z.string().max(100).optional() }))
    .mutation(({ ctx, input }) => ctx.service.startWorldReset(input)),
  softwareVersions: t.procedure
    .input(id)
    .query(({ ctx, input, signal }) => ctx.service.softwareVersions(input, signal!)),
  runtimes: t.procedure.query(({ ctx }) => ctx.service.runtimes()),
  updateRuntime: t.procedure
    .input(z.enum(JAVA_VERSIONS))
    .mutation(({ ctx, input, signal }) => ctx.service.updateRuntime(input, signal!)),
  removeRuntimes: t.procedure
    .input(z.object({ javaVersion: z.enum(JAVA_VERSIONS).optional() }))
    .mutation(({ ctx, input }) => ctx.service.removeRuntimes(input)),
  startBackup: t.procedure
    .input(z.object({ instanceId: id, cloudReplicate: z.boolean(), reason: z.enum(BACKUP_REASONS) }))
    .mutation(({ ctx, input }) => ctx.service.startBackup(input)),
  startVerify: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.startVerify(input)),
  startRestore: t.procedure
    .input(ofBackup.extend({ restart: z.boolean().optional() }))
    .mutation(({ ctx, input }) => ctx.service.startRestore(input)),
  startFileRestore: t.procedure
    .input(ofBackup.extend({ paths: z.array(z.string().max(16_384)) }))
    .mutation(({ ctx, input, signal }) => ctx.service.startFileRestore(input, signal!)),
  startDrill: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.startDrill(input)),
  waitForJob: t.procedure.input(id).query(({ ctx, input, signal }) => ctx.service.waitForJob(input, signal!)),
  verification: t.procedure.input(id).query(({ ctx, input }) => ctx.service.verification(input)),
  jobs: t.procedure.query(({ ctx }) => ctx.service.jobs()),
  job: t.procedure.input(id).query(({ ctx, input }) => ctx.service.job(input)),
  watchJobs: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchJobs(signal!)),
  stats: t.procedure.query(({ ctx }) => ctx.service.stats()),
  cancel: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.cancel(input)),
  backups: t.procedure
    .input(z.object({ instanceId: id, before: id.optional(), limit: z.int().min(1).optional() }))
    .query(({ ctx, input }) => ctx.service.backups(input)),
  backup: t.procedure.input(ofBackup).query(({ ctx, input }) => ctx.service.backup(input)),
  archivePath: t.procedure.input(ofBackup).query(({ ctx, input }) => ctx.service.archivePath(input)),
  setPinned: t.procedure
    .input(ofBackup.extend({ pinned: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.service.setPinned(input)),
  replicate: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.replicate(input)),
  backupFiles: t.procedure
    .input(ofBackupPath.extend({ skip: z.int().min(0), limit: z.int().min(1).max(MOST_FILE_ENTRIES) }))
    .query(({ ctx, input, signal }) => ctx.service.backupFiles(input, signal!)),
  compareBackup: t.procedure
    .input(
      ofBackupPath.extend({ after: z.string().max(16_384).optional(), limit: z.int().min(1).max(MOST_FILE_ENTRIES) }),
    )
    .query(({ ctx, input, signal }) => ctx.service.compareBackup(input, signal!)),
  backupFile: t.procedure.input(ofBackupPath).query(({ ctx, input, signal }) => ctx.service.backupFile(input, signal!)),
  sendBackupFile: t.procedure
    .input(ofBackupPath.extend({ socket: z.string() }))
    .mutation(({ ctx, input, signal }) => ctx.service.sendBackupFile(input, signal!)),
  deleteBackup: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.deleteBackup(input)),
  testStore: t.procedure.input(id).mutation(({ ctx, input, signal }) => ctx.service.testStore(input, signal!)),
  schedules: t.procedure.input(id).query(({ ctx, input }) => ctx.service.schedules(input)),
  setSchedules: t.procedure
    .input(setSchedules.extend({ instanceId: id, version: z.string().optional(), by: scheduleOwner }))
    .mutation(({ ctx, input }) => ctx.service.setSchedules(input)),
  pausedSchedules: t.procedure.query(({ ctx }) => ctx.service.pausedSchedules()),
  scheduleHistory: t.procedure.input(id).query(({ ctx, input }) => ctx.service.scheduleHistory(input)),
  watchScheduleRuns: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchScheduleRuns(signal!)),
  mods: t.procedure.input(id).query(({ ctx, input }) => ctx.service.mods(input)),
  searchMods: t.procedure
    .input(z.object({ instanceId: id, query: z.string(), offset: z.int(), limit: z.int() }))
    .query(({ ctx, input, signal }) => ctx.service.searchMods(input, signal!)),
  startModChange: t.procedure
    .input(z.object({ instanceId: id, order: modOrder }))
    .mutation(({ ctx, input }) => ctx.service.startModChange(input)),
  modChanges: t.procedure.input(id).query(({ ctx, input }) => ctx.service.modChanges(input)),
  skins: t.procedure
    .input(z.array(z.string().max(36)).max(MOST_ACCOUNTS))
    .query(({ ctx, input }) => ctx.service.skins(input)),
  skin: t.procedure.input(textureName).query(({ ctx, input }) => ctx.service.skin(input)),
  forgetInstance: t.procedure
    .input(z.object({ instanceId: id, backups: z.boolean(), mods: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.service.forgetInstance(input)),
});

export type JobsRouter = typeof jobsRouter;
