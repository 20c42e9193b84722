import * as z from 'zod';
import { optionalOmissionFields } from './backup.ts';

const JOB_KINDS = [
  ...(['backup', 'restore', 'verify', 'drill', 'replicate', 'delete'] as const),
  ...(['provision', 'mods', 'clone', 'export', 'import', 'archive', 'extract', 'world'] as const),
] as const;
const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** Long work that can be watched and cancelled. */
export const job = z
  .object({
    jobId: z.string(),
    kind: z.enum(JOB_KINDS),
    instanceId: z.string(),
    state: z.enum(JOB_STATES),
    percent: z.number().min(0).max(100),
    bytesDone: z.int(),
    bytesTotal: z.int(),
    bytesPerSecond: z.int().optional().describe('Smoothed, while running'),
    remainingSeconds: z.int().optional().describe('At the present speed'),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().optional(),
    backupId: z.string().optional(),
    newInstanceId: z.string().optional().describe('The new instance, if you can see it. Never in events'),
    store: z.string().optional().describe('Store that a copy goes to'),
    ...optionalOmissionFields,
    error: z.object({ code: z.string(), detail: z.string() }).optional(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof job>;
