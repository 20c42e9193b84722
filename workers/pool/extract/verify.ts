import { type FileHandle, open } from 'node:fs/promises';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { Progress } from '../progress.ts';
import { hashFile } from '../reading/hash-file.ts';
import type { VerifyResult, VerifyTask } from '../task-types.ts';
import { wrongHash } from './damaged.ts';
import { openArchive, ownArchiveRules } from './open-archive.ts';

/** Reads one of our own archives as a restore would, and writes nothing. Damage is a result, not an error. */
export async function verify(task: VerifyTask): Promise<VerifyResult> {
  const progress = new Progress(task.progress);
  const handle = await open(task.archive, 'r');
  try {
    progress.expect((await handle.stat()).size + task.sourceBytes);
    const sha256 = await hashFile(handle, progress);
    return { sha256, damage: sha256 === task.sha256 ? await damageOf(handle, task, progress) : wrongHash().message };
  } finally {
    await handle.close();
  }
}

async function damageOf(handle: FileHandle, task: VerifyTask, progress: Progress): Promise<string | null> {
  try {
    const archive = await openArchive(handle, ownArchiveRules(task.sourceBytes));
    for (const entry of archive.entries) await archive.read(entry, (chunk) => progress.advance(chunk.length));
    return null;
  } catch (error) {
    if (isGamekeeperError(error, 'backup_damaged')) return error.message;
    throw error;
  }
}
