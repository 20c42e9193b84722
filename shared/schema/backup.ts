import * as z from 'zod';
import { BACKUP_ID_PATTERN } from '../domain/backup-id.ts';
import { CLOUD_STATUSES, REPLICA_STATES } from '../domain/cloud-status.ts';

const backupIdSchema = z.string().regex(BACKUP_ID_PATTERN, 'a backup id such as 20261120T081500Z-4f9c2a');

export const BACKUP_REASONS = ['manual', 'schedule', 'before-restore'] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

/** Where the archive on this machine stands. */
export const LOCAL_STATES = ['present', 'missing', 'damaged'] as const;
export type LocalState = (typeof LOCAL_STATES)[number];

/** Optional body of POST /instances/{id}/backup. */
export const backupRequest = z
  .strictObject({ cloudReplicate: z.boolean().default(true) })
  .meta({ id: 'BackupRequest' });

/** A copy of a backup in a store. */
export const replica = z
  .object({
    store: z.string().describe('name of the store in the settings'),
    state: z.enum(REPLICA_STATES),
    encrypted: z.boolean(),
    sizeBytes: z.int().optional().describe('as it is stored'),
    percent: z.number().optional().describe('while copying'),
    jobId: z.string().optional().describe('while copying: the job to watch or cancel'),
    attempts: z.int().describe('since it was asked for'),
    error: z.string().optional().describe('why it is not there or not in order'),
    nextAttemptAt: z.iso.datetime().optional(),
    replicatedAt: z.iso.datetime().optional(),
    checkedAt: z.iso.datetime().optional().describe('when it was last verified'),
  })
  .meta({ id: 'Replica' });
export type Replica = z.infer<typeof replica>;

/** How a restore into a scratch folder went. */
export const drillResult = z
  .object({
    at: z.iso.datetime(),
    ok: z.boolean(),
    durationMs: z.int(),
    fileCount: z.int().optional().describe('files that were unpacked, read back and compared'),
    error: z.string().optional(),
  })
  .meta({ id: 'DrillResult' });
export type DrillResult = z.infer<typeof drillResult>;

/** A row of the catalogue: BackupResponse plus what the archive is of and how it was made. */
export const backup = z
  .object({
    backupId: backupIdSchema,
    instanceId: z.string(),
    createdAt: z.iso.datetime(),
    sizeBytes: z.int(),
    sha256: z.string(),
    cloudStatus: z.enum(CLOUD_STATUSES),
    reason: z.enum(BACKUP_REASONS),
    software: z.string(),
    version: z.string(),
    durationMs: z.int(),
    fileCount: z.int(),
    sourceBytes: z.int(),
    quiesced: z
      .boolean()
      .describe('true: the world was flushed, confirmed and held still while it was read, or the server was stopped'),
    pinned: z.boolean(),
    changedFiles: z
      .array(z.string())
      .describe(
        'files that changed or vanished while they were read, and those left out since their name is not UTF-8 (`caf%E9.txt`)',
      ),
    skippedCount: z.int().describe('files and folders that were left out: lock files and what the settings exclude'),
    local: z.enum(LOCAL_STATES).describe('the archive on this machine'),
    replicas: z.array(replica),
    lastVerified: z.object({ at: z.iso.datetime(), ok: z.boolean() }).optional(),
    lastDrill: drillResult.optional(),
  })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof backup>;

/** `ok`: the archive and every copy that should be there are whole. A backup of which no copy is whole is 422 `backup_damaged`. */
export const verifyResponse = z
  .object({
    ok: z.boolean(),
    sha256: z.string(),
    local: z.enum(LOCAL_STATES).optional().describe('the archive on this machine, where that is not in order'),
    replicas: z.array(z.object({ store: z.string(), ok: z.boolean(), error: z.string().optional() })),
  })
  .meta({ id: 'VerifyResponse' });
export type VerifyResponse = z.infer<typeof verifyResponse>;
