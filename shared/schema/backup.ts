import * as z from 'zod';
import { BACKUP_ID_PATTERN } from '../domain/backups/backup-id.ts';
import { CLOUD_STATUSES, REPLICA_STATES } from '../domain/backups/cloud-status.ts';
import { OMISSION_REASONS } from '../domain/backups/omissions.ts';

const MOST_LISTED = 1_000;

export const backupsQuery = z.object({
  before: z
    .string()
    .regex(BACKUP_ID_PATTERN, 'must be the id of a backup')
    .optional()
    .meta({
      description: 'Only backups older than the one with this id: the last of the previous answer',
      examples: ['20261120T081500Z-4f9c2a'],
    }),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${MOST_LISTED}`)
    .transform(Number)
    .pipe(z.int().min(1).max(MOST_LISTED))
    .default(MOST_LISTED),
});
export type BackupsQuery = z.infer<typeof backupsQuery>;

const backupIdSchema = z.string().regex(BACKUP_ID_PATTERN, 'must be a backup id such as 20261120T081500Z-4f9c2a');

export const BACKUP_REASONS = ['manual', 'schedule', 'before-restore'] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

/** State of the archive on this machine. */
export const LOCAL_STATES = ['present', 'missing', 'damaged'] as const;
export type LocalState = (typeof LOCAL_STATES)[number];

export const backupRequest = z
  .strictObject({ cloudReplicate: z.boolean().default(true) })
  .meta({ id: 'BackupRequest' });

export const restoreRequest = z
  .strictObject({
    restart: z
      .boolean()
      .default(false)
      .describe('Stop a running server first, and start it again afterwards. Also needs the scope servers:write'),
  })
  .meta({ id: 'RestoreRequest' });

const omission = z
  .object({
    path: z
      .string()
      .describe('Relative path. Bytes that are not printable text are written as in a URL (`caf%E9.txt`)'),
    reason: z
      .enum(OMISSION_REASONS)
      .describe(
        '`outside-link`: what the link leads to is outside of the server folder. `link`: an export contains no links. `unsupported-name`: a ZIP cannot hold the name. `path-too-long`: more than 4,095 bytes. `replaced`: something else took its place while it was read',
      ),
  })
  .meta({ id: 'Omission' });

/** The omissions of an archive or a copy. */
export const omissionFields = {
  omitted: z
    .array(omission)
    .describe('Files and folders that nobody excluded and that it does not contain: the first 100'),
  omittedCount: z.int().describe('Number of all omissions'),
};

/** For answers that say something only if there are omissions. */
export const optionalOmissionFields = {
  omitted: omissionFields.omitted.optional(),
  omittedCount: omissionFields.omittedCount.optional(),
};

/** A copy of a backup in a store. */
export const replica = z
  .object({
    store: z.string().describe('Name of the store in the settings'),
    state: z.enum(REPLICA_STATES),
    encrypted: z.boolean(),
    sizeBytes: z.int().optional().describe('Stored size'),
    percent: z.number().optional().describe('Progress of the copy'),
    jobId: z.string().optional().describe('Job of the copy, to watch or cancel'),
    attempts: z.int().describe('Attempts since the copy was requested'),
    error: z.string().optional().describe('Why the copy is missing or damaged'),
    nextAttemptAt: z.iso.datetime().optional(),
    replicatedAt: z.iso.datetime().optional(),
    checkedAt: z.iso.datetime().optional().describe('Time of the last verification'),
  })
  .meta({ id: 'Replica' });
export type Replica = z.infer<typeof replica>;

/** Result of a restore into a scratch folder. */
export const drillResult = z
  .object({
    at: z.iso.datetime(),
    ok: z.boolean(),
    durationMs: z.int(),
    fileCount: z.int().optional().describe('Files that were unpacked, read back and compared'),
    error: z.string().optional(),
  })
  .meta({ id: 'DrillResult' });
export type DrillResult = z.infer<typeof drillResult>;

/** An entry of the catalogue. */
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
      .describe('true: the server was stopped, or its world was flushed to disk and did not change during the backup'),
    pinned: z.boolean(),
    changedFiles: z
      .array(z.string())
      .describe(
        'Files that changed or disappeared while they were read, and files left out because their name is not UTF-8 (`caf%E9.txt`): the first 1,000',
      ),
    skippedCount: z
      .int()
      .describe('Files and folders that are not in the archive: what the settings exclude, and what it cannot hold'),
    ...omissionFields,
    local: z.enum(LOCAL_STATES).describe('State of the archive on this machine'),
    replicas: z.array(replica),
    lastVerified: z.object({ at: z.iso.datetime(), ok: z.boolean() }).optional(),
    lastDrill: drillResult.optional(),
  })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof backup>;

/** `ok`: the archive and every copy are as they were made, which says nothing about omissions. If none is intact the answer is 422 `backup_damaged`. */
export const verifyResponse = z
  .object({
    ok: z.boolean(),
    sha256: z.string(),
    local: z
      .enum(LOCAL_STATES)
      .optional()
      .describe('State of the archive on this machine, if it is missing or damaged'),
    replicas: z.array(z.object({ store: z.string(), ok: z.boolean(), error: z.string().optional() })),
    ...optionalOmissionFields,
  })
  .meta({ id: 'VerifyResponse' });
export type VerifyResponse = z.infer<typeof verifyResponse>;
