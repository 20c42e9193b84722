import * as z from 'zod';

/** Path parameters. Any text is taken: what no instance or backup has is 404, not 400. */
export const ofInstance = z.object({ id: z.string().describe('Instance id') });
export const ofBackup = ofInstance.extend({ backupId: z.string().describe('Backup id') });
export const ofJob = z.object({ jobId: z.string().describe('Job id') });

/** The backup that a path names. */
export function keyOf({ id, backupId }: { id: string; backupId: string }) {
  return { instanceId: id, backupId };
}

/** A whole number in a query. */
export function queryInteger(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}
