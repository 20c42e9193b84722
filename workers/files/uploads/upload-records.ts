import { closeSync, constants, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { OWN_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { explained, requirePath } from '../folder/file-error.ts';
import { namesIn } from '../folder/own-folder.ts';
import { newStagedPath } from '../staging/under-construction.ts';

const UPLOADS = `${OWN_FOLDER}/uploads`;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The game can write there, so records are checked like any input. */
const record = z.object({
  path: z.string(),
  sizeBytes: z.int().min(0),
  createdAt: z.iso.datetime(),
  /** Whose archive it is. Absent for a file of a server. */
  account: z.string().optional(),
  /** When an archive was last looked into. */
  usedAt: z.iso.datetime().optional(),
  ifMatch: z.string().optional(),
  isNew: z.boolean().optional(),
  /** All bytes have arrived. If they are gone, they are in their place: a client whose last answer was lost learns of it. */
  isWhole: z.boolean().optional(),
});

/** What is known of an upload that arrives in pieces. */
export type UploadRecord = z.infer<typeof record>;

/** Returns `undefined` for a record that is missing or broken. */
export async function readRecord(root: string, uploadId: string): Promise<UploadRecord | undefined> {
  try {
    using cursor = new TreeCursor(root);
    const bytes = await readServerFile(cursor.placeOf(recordOf(uploadId)));
    const about = record.parse(JSON.parse(bytes?.toString() ?? ''));
    // The name of an archive is only shown.
    if (about.account === undefined) requirePath(about.path, { isBelow: true });
    return about;
  } catch {
    return undefined;
  }
}

/** Replaces the record at once. */
export function writeRecord(root: string, uploadId: string, about: UploadRecord): void {
  explained('', () => {
    using staged = new TreeCursor(root);
    using cursor = new TreeCursor(root);
    const next = staged.placeOf(newStagedPath(), () => undefined);
    const descriptor = openSync(next, NEW_FILE, 0o600);
    try {
      writeFileSync(descriptor, JSON.stringify(about));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(
      next,
      cursor.placeOf(recordOf(uploadId), () => undefined),
    );
  });
}

/** Removes an upload, its bytes first. */
export async function discardUpload(root: string, uploadId: string): Promise<void> {
  for (const own of [partOf(uploadId), recordOf(uploadId)])
    await explained('', async () => {
      using cursor = new TreeCursor(root);
      await removeTree(cursor.placeOf(own));
    });
}

export function uploadIds(root: string): string[] {
  return namesIn(root, UPLOADS).flatMap((name) => /^([0-9a-f]{32})\.json$/.exec(name)?.[1] ?? []);
}

/** Returns the path of the bytes that have arrived. */
export function partOf(uploadId: string): string {
  return `${UPLOADS}/${uploadId}.part`;
}

function recordOf(uploadId: string): string {
  return `${UPLOADS}/${uploadId}.json`;
}
