import * as z from 'zod';
import { writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import { readValidJson } from '../../../../shared/node/files/json-record.ts';
import { backup, omissionFields } from '../../../../shared/schema/backup.ts';
import type { NewEntry } from './catalogue.ts';

/** Beside each archive, a file with the catalogue's facts: backups survive the loss of the database, and can be moved. */
const manifest = backup
  .pick({
    backupId: true,
    instanceId: true,
    createdAt: true,
    sizeBytes: true,
    sha256: true,
    reason: true,
    software: true,
    version: true,
    durationMs: true,
    fileCount: true,
    sourceBytes: true,
    quiesced: true,
    pinned: true,
    changedFiles: true,
    skippedCount: true,
  })
  // Earlier versions recorded no omissions.
  .extend({
    cloudReplicate: z.boolean(),
    omitted: omissionFields.omitted.default([]),
    omittedCount: omissionFields.omittedCount.default(0),
  });
export type Manifest = z.infer<typeof manifest>;

/** `<backupId>.json` beside `<backupId>.zip`. */
export function manifestOf(archive: string): string {
  return archive.replace(/\.zip$/, '.json');
}

export async function writeManifest(archive: string, entry: NewEntry): Promise<void> {
  const content: Manifest = manifest.parse(entry);
  await writeFileAtomically(manifestOf(archive), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Returns `undefined` if there is no manifest, or none that is valid. */
export async function readManifest(archive: string): Promise<Manifest | undefined> {
  return readValidJson(manifestOf(archive), manifest);
}
