import * as z from 'zod';
import { BACKUP_ID_PATTERN } from '../domain/backup-id.ts';
import { CLOUD_STATUSES } from '../domain/cloud-status.ts';

const backupIdSchema = z.string().regex(BACKUP_ID_PATTERN, 'a backup id such as 20261120T081500Z-4f9c2a');

export const BACKUP_REASONS = ['manual', 'schedule', 'before-restore'] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

/** Optional body of POST /instances/{id}/backup. */
export const backupRequest = z
  .strictObject({ cloudReplicate: z.boolean().default(true) })
  .meta({ id: 'BackupRequest' });

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
    changedFiles: z.array(z.string()).describe('files that changed or vanished while they were read'),
  })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof backup>;

export const verifyResponse = z
  .object({ ok: z.boolean(), sha256: z.string(), replicas: z.array(z.object({ store: z.string(), ok: z.boolean() })) })
  .meta({ id: 'VerifyResponse' });
export type VerifyResponse = z.infer<typeof verifyResponse>;
