import * as z from 'zod';
import { shortened } from '../../http/quoted.ts';

/** Any text, as far as it can matter: what nothing has is 404, not 400. */
const anyId = z.string().overwrite(shortened);

/** Path parameters. */
export const ofInstance = z.object({ id: anyId.describe('Instance id') });
export const ofBackup = ofInstance.extend({ backupId: anyId.describe('Backup id') });
export const ofMod = ofInstance.extend({ mod: anyId.describe("Id or slug of its project, or its file's name") });
export const ofJob = z.object({ jobId: anyId.describe('Job id') });

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
