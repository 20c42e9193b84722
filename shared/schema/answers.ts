import * as z from 'zod';
import { CLOUD_STATUSES } from '../domain/backups/cloud-status.ts';
import { FIELD_RULES } from '../domain/field-error.ts';
import { optionalOmissionFields } from './backup.ts';

export const healthResponse = z
  .object({ status: z.string(), version: z.string(), platform: z.string(), activeInstances: z.int() })
  .meta({ id: 'HealthResponse' });
export type HealthResponse = z.infer<typeof healthResponse>;

export const actionResponse = z.object({ success: z.boolean(), message: z.string() }).meta({ id: 'ActionResponse' });
export type ActionResponse = z.infer<typeof actionResponse>;

export const logsResponse = z.object({ lines: z.array(z.string()) }).meta({ id: 'LogsResponse' });
export type LogsResponse = z.infer<typeof logsResponse>;

export const backupResponse = z
  .object({
    backupId: z.string(),
    sizeBytes: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    cloudStatus: z.enum(CLOUD_STATUSES),
    quiesced: z
      .literal(false)
      .optional()
      .describe('The server was running and could not be held still: files may be of different moments. Else absent'),
    ...optionalOmissionFields,
  })
  .meta({ id: 'BackupResponse' });
export type BackupResponse = z.infer<typeof backupResponse>;

const fieldError = z
  .object({
    field: z.string().describe('Names of nested fields are joined by dots'),
    rule: z.enum(FIELD_RULES).describe('What is wrong with it; later versions may add rules'),
    limit: z.number().optional().describe('The least or the most that is allowed'),
    detail: z.string().describe("To be read after the field's name"),
  })
  .meta({ id: 'FieldError' });

export const errorResponse = z
  .object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().describe('One of the codes at /docs/errors; later versions may add codes'),
    resolution: z.string().optional(),
    errors: z
      .array(fieldError)
      .optional()
      .describe('The fields that an `invalid_request` is about, as far as they are known'),
  })
  .meta({ id: 'ErrorResponse' });

export const commandResponse = z.object({ output: z.string() }).meta({ id: 'CommandResponse' });

export const player = z
  .object({
    name: z.string(),
    uuid: z.string().optional(),
    op: z.boolean().optional(),
    since: z.iso.datetime().optional(),
  })
  .meta({ id: 'Player' });
export type Player = z.infer<typeof player>;

const crashReport = z
  .object({
    at: z.iso.datetime(),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    reason: z.string().describe('What happened, and what to do about it'),
    restarts: z.int().describe('Restarts after earlier crashes within the window of the crash policy'),
    lines: z.array(z.string()).describe('The last lines of the console, at most 50, redacted'),
  })
  .meta({ id: 'CrashReport' });

/** Newest first. */
export const crashReports = z.object({ crashes: z.array(crashReport) }).meta({ id: 'CrashReports' });
