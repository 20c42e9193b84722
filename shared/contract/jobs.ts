import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { JAVA_VERSIONS, type JavaVersion } from '../domain/java-version.ts';
import { SCOPES, type Scope } from '../domain/scope.ts';
import { BACKUP_REASONS, type Backup, type BackupReason, type VerifyResponse } from '../schema/backup.ts';
import { type CloneInstance, cloneInstance } from '../schema/clone.ts';
import { type ImportInstance, importInstance, type Recognition } from '../schema/import.ts';
import type { Job } from '../schema/job.ts';
import { installMod, type ModChanges, type ModList, type ModSearch, updateMods } from '../schema/mods.ts';
import type { Runtime, RuntimeUpdate } from '../schema/runtime.ts';
import { type Schedule, type ScheduleInput, type ScheduleRun, setSchedules } from '../schema/schedule.ts';
import type { SoftwareVersions } from '../schema/software-versions.ts';
import { asSent, type CallContext } from './call.ts';
import type { JobsStats } from './stats.ts';

/** What a start needs that had to be put in place: absolute paths. */
export interface Provisioned {
  /** The Java program, for kinds that run on Java or instances that name a `javaVersion`. */
  java?: string;
  /** Major version of that runtime. */
  javaVersion?: string;
  /** Options of the owner's for the JVM, such as `@user_jvm_args.txt`. */
  javaOptions?: string[];
  /** What Java is told so that it starts the program, for kinds that run on Java. */
  start?: string[];
  /** A program of the instance's that needs no Java. */
  program?: string;
}

/** What is to be done with an instance's mods or plugins. */
const modOrder = z.discriminatedUnion('type', [
  installMod.extend({ type: z.literal('install') }),
  updateMods.extend({ type: z.literal('update') }),
  /** By project or by file. */
  z.object({ type: z.literal('remove'), mod: z.string().max(256), force: z.boolean() }),
]);
export type ModOrder = z.infer<typeof modOrder>;

/** One change of the jobs. The first item of a watch is `snapshot`. */
export type JobEvent = { type: 'snapshot'; jobs: Job[] } | { type: 'changed'; job: Job };

/** Whoever saves schedules: what they do is done with the rights of this user, as far as they still are when it is done. */
export interface ScheduleOwner {
  username: string;
  /** `proxy`: somebody whom the hosted proxy vouches for, who is no user here. */
  kind: 'user' | 'local' | 'proxy';
  /** Of a `proxy` one: which proxy that is. */
  issuer?: string | undefined;
  /** What may be done with the instance just now. */
  scopes: Scope[];
}

/** The instance that came of an import, and what was found in its folder. */
export interface Imported {
  id: string;
  recognised: Recognition;
}

/** All schedules of an instance; `version` is another one after every change. */
export interface ScheduleList {
  schedules: Schedule[];
  version: string;
}

export interface JobsService {
  /** Installs software and runtime as far as they are missing. Yields progress lines, then the result. */
  provision(instanceId: string, signal: AbortSignal): AsyncIterable<{ progress: string } | { done: Provisioned }>;
  /** What server a folder holds, and what is missing for an import. Throws what makes it impossible. Changes nothing. */
  recognise(request: ImportInstance): Promise<Recognition>;
  /** Makes an instance of a folder, which is used in place and not changed. Throws `invalid_request` naming what has to be given. */
  importFolder(request: ImportInstance): Promise<Imported>;
  /** Copies an instance; the job names the new one when it is done. Throws `instance_exists`. */
  startClone(request: CloneInstance & { instanceId: string }): Promise<Job>;
  /** Unpacks an archive and makes an instance of it; the job names it when it is done. Throws what is wrong with the request. */
  startImport(request: ImportInstance): Promise<Job>;
  /** What came of an import that is done. */
  imported(jobId: string): Imported | null;
  /** Writes an instance's folder as a ZIP into a local socket, whose listener goes away when it has had enough. */
  startExport(request: { instanceId: string; socket: string }): Promise<Job>;
  /** From the vendor, or as it last was; throws `software_not_found`, and `vendor_unavailable` where nothing is remembered. */
  softwareVersions(kind: string, signal: AbortSignal): Promise<SoftwareVersions>;
  runtimes(): Promise<Runtime[]>;
  /** The newest build of a version that is installed, for starts from now on. Throws `runtime_not_found` and `vendor_unavailable`. */
  updateRuntime(javaVersion: JavaVersion, signal: AbortSignal): Promise<RuntimeUpdate>;
  /** One, or all that no instance uses. Gives which are gone; throws `runtime_not_found` and `runtime_in_use`. */
  removeRuntimes(request: { javaVersion?: JavaVersion | undefined }): Promise<JavaVersion[]>;
  /** Queues the work and resolves to its job at once; what is wrong with the request is thrown here already. */
  startBackup(request: { instanceId: string; cloudReplicate: boolean; reason: BackupReason }): Promise<Job>;
  startVerify(request: { instanceId: string; backupId: string }): Promise<Job>;
  startRestore(request: { instanceId: string; backupId: string }): Promise<Job>;
  /** Rehearses a restore in a scratch folder; the result is in the catalogue. */
  startDrill(request: { instanceId: string; backupId: string }): Promise<Job>;
  /** Resolves when the job has ended; throws what made it fail. */
  waitForJob(jobId: string, signal: AbortSignal): Promise<Job>;
  verification(jobId: string): VerifyResponse | null;
  jobs(): Job[];
  job(jobId: string): Job | null;
  /** Every change of state, and of progress twice a second. */
  watchJobs(signal: AbortSignal): AsyncIterable<JobEvent>;
  cancel(jobId: string): void;
  backups(instanceId: string): Promise<Backup[]>;
  /** Throws `backup_not_found`. */
  backup(request: { instanceId: string; backupId: string }): Promise<Backup>;
  /** Absolute path of the archive on this machine. */
  archivePath(request: { instanceId: string; backupId: string }): string;
  setPinned(request: { instanceId: string; backupId: string; pinned: boolean }): Promise<Backup>;
  /** Asks for a copy in every configured store that has none, and for another attempt where one failed. */
  replicate(request: { instanceId: string; backupId: string }): Promise<Backup>;
  /** Copies in stores go, too, sooner or later. */
  deleteBackup(request: { instanceId: string; backupId: string }): Promise<void>;
  /** Writes, reads and removes a small object in a store of the settings; throws what is wrong, `store_not_found` among others. */
  testStore(name: string, signal: AbortSignal): Promise<void>;
  /** How this process and its work fare. */
  stats(): JobsStats;
  /** What is done when, and when next. */
  schedules(instanceId: string): Promise<ScheduleList>;
  /**
   * Replaces them. What is not changed goes on with the rights of whoever saved it before. Throws `precondition_failed` where `version`
   * is not the present one, `insufficient_scope` for a change of what `by` may not do, `invalid_request` for a time that never comes.
   */
  setSchedules(request: {
    instanceId: string;
    schedules: ScheduleInput[];
    version?: string | undefined;
    by: ScheduleOwner;
  }): Promise<ScheduleList>;
  /** Newest first. */
  scheduleHistory(instanceId: string): ScheduleRun[];
  /** Each run when it begins and when it ends, from now on. */
  watchScheduleRuns(signal: AbortSignal): AsyncIterable<{ instanceId: string; run: ScheduleRun }>;
  /** Throws `mods_unsupported` like all that is about mods. Asks nobody. */
  mods(instanceId: string): Promise<ModList>;
  /** What Modrinth has that fits the instance. Throws `vendor_unavailable`. */
  searchMods(
    request: { instanceId: string; query: string; offset: number; limit: number },
    signal: AbortSignal,
  ): Promise<ModSearch>;
  /** Begins at once, behind other changes of the same instance. The job fails with `mod_not_found`, `mod_conflict` and others. */
  startModChange(request: { instanceId: string; order: ModOrder }): Promise<Job>;
  /** What such a job has done; `null`: it has not ended well, or long ago. */
  modChanges(jobId: string): ModChanges | null;
  /**
   * Ends what is done for an instance, and forgets what was installed for it. `backups` deletes its backups, which otherwise stay for one
   * of the same id; `mods` drops the changes that wait for its folder.
   */
  forgetInstance(request: { instanceId: string; backups: boolean; mods: boolean }): Promise<void>;
}

const t = initTRPC.context<CallContext<JobsService>>().create({ transformer: asSent });
const id = z.string().max(256);
const ofBackup = z.object({ instanceId: id, backupId: id });
const scheduleOwner = z.object({
  username: z.string(),
  kind: z.enum(['user', 'local', 'proxy']),
  issuer: z.string().optional(),
  scopes: z.array(z.enum(SCOPES)),
});

export const jobsRouter = t.router({
  provision: t.procedure.input(id).subscription(({ ctx, input, signal }) => ctx.service.provision(input, signal!)),
  recognise: t.procedure.input(importInstance).query(({ ctx, input }) => ctx.service.recognise(input)),
  importFolder: t.procedure.input(importInstance).mutation(({ ctx, input }) => ctx.service.importFolder(input)),
  startClone: t.procedure
    .input(cloneInstance.extend({ instanceId: id }))
    .mutation(({ ctx, input }) => ctx.service.startClone(input)),
  startImport: t.procedure.input(importInstance).mutation(({ ctx, input }) => ctx.service.startImport(input)),
  imported: t.procedure.input(id).query(({ ctx, input }) => ctx.service.imported(input)),
  startExport: t.procedure
    .input(z.object({ instanceId: id, socket: z.string() }))
    .mutation(({ ctx, input }) => ctx.service.startExport(input)),
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
  startRestore: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.startRestore(input)),
  startDrill: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.startDrill(input)),
  waitForJob: t.procedure.input(id).query(({ ctx, input, signal }) => ctx.service.waitForJob(input, signal!)),
  verification: t.procedure.input(id).query(({ ctx, input }) => ctx.service.verification(input)),
  jobs: t.procedure.query(({ ctx }) => ctx.service.jobs()),
  job: t.procedure.input(id).query(({ ctx, input }) => ctx.service.job(input)),
  watchJobs: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchJobs(signal!)),
  stats: t.procedure.query(({ ctx }) => ctx.service.stats()),
  cancel: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.cancel(input)),
  backups: t.procedure.input(id).query(({ ctx, input }) => ctx.service.backups(input)),
  backup: t.procedure.input(ofBackup).query(({ ctx, input }) => ctx.service.backup(input)),
  archivePath: t.procedure.input(ofBackup).query(({ ctx, input }) => ctx.service.archivePath(input)),
  setPinned: t.procedure
    .input(ofBackup.extend({ pinned: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.service.setPinned(input)),
  replicate: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.replicate(input)),
  deleteBackup: t.procedure.input(ofBackup).mutation(({ ctx, input }) => ctx.service.deleteBackup(input)),
  testStore: t.procedure.input(id).mutation(({ ctx, input, signal }) => ctx.service.testStore(input, signal!)),
  schedules: t.procedure.input(id).query(({ ctx, input }) => ctx.service.schedules(input)),
  setSchedules: t.procedure
    .input(setSchedules.extend({ instanceId: id, version: z.string().optional(), by: scheduleOwner }))
    .mutation(({ ctx, input }) => ctx.service.setSchedules(input)),
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
  forgetInstance: t.procedure
    .input(z.object({ instanceId: id, backups: z.boolean(), mods: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.service.forgetInstance(input)),
});

export type JobsRouter = typeof jobsRouter;
