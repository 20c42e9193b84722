import * as z from 'zod';
import { shortened } from '../http/quoted.ts';

/** Any text: an id that cannot exist is 404 like every unknown id, not 400. */
const anyId = z.string().overwrite(shortened);

export const ofInstance = z.object({ id: anyId.describe('Instance id') });
export const ofBackup = ofInstance.extend({ backupId: anyId.describe('Backup id') });
export const ofMod = ofInstance.extend({ mod: anyId.describe('Id or slug of the Modrinth project, or the file name') });
export const ofSkin = ofInstance.extend({ texture: anyId.describe('`texture` in the list of skins') });
export const ofModpack = z.object({ project: anyId.describe('Id or slug of the Modrinth project') });
export const ofUpload = z.object({ uploadId: z.string().max(100).describe('Id of the upload') });
export const ofJob = z.object({ jobId: anyId.describe('Job id') });
export const ofSoftware = z.object({ kind: anyId.describe('Software, such as `paper`') });

export function keyOf({ id, backupId }: { id: string; backupId: string }) {
  return { instanceId: id, backupId };
}

export function queryInteger(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

const MOST_AT_ONCE = 100;
const FURTHEST = 10_000;

/** A search at Modrinth. */
export const modrinthQuery = z.object({
  query: z.string().max(200).default('').describe('Search words. Default: everything that fits'),
  offset: queryInteger(0, FURTHEST).default(0),
  limit: queryInteger(1, MOST_AT_ONCE).default(20),
});
