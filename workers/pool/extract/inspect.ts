import { open } from 'node:fs/promises';
import { Progress } from '../progress.ts';
import { hashFile } from '../reading/hash-file.ts';
import type { InspectResult, InspectTask } from '../task-types.ts';
import { openArchive, strangersRules } from './open-archive.ts';

/** Checks an unknown archive by the rules for strangers: portable names, no links. Throws `backup_damaged`. */
export async function inspect(task: InspectTask): Promise<InspectResult> {
  const progress = new Progress(task.progress);
  const handle = await open(task.archive, 'r');
  try {
    const { size } = await handle.stat();
    progress.expect(size);
    const sha256 = await hashFile(handle, progress);
    const archive = await openArchive(handle, strangersRules());
    progress.expect(archive.bytes);
    for (const entry of archive.entries) await archive.read(entry, (chunk) => progress.advance(chunk.length));
    const fileCount = archive.entries.filter(({ kind }) => kind === 'file').length;
    return { sha256, sizeBytes: size, fileCount, sourceBytes: archive.bytes };
  } finally {
    await handle.close();
  }
}
