import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { importArchive } from './import-archive.ts';

/**
 * Returns an import that removes its uploaded archive when it succeeds. Throws `already_in_progress` during another import of the archive, and
 * `file_not_found` after one, or if the upload is removed before all of it is read.
 */
export function createUploadImport(): typeof importArchive {
  const importing = new Set<string>();
  return async (order, run, options) => {
    const { archive, shownAs } = order;
    if (importing.has(archive))
      throw new GamekeeperError('already_in_progress', `The upload "${shownAs}" is being imported.`);
    if (!existsSync(archive)) throw missing(shownAs);
    importing.add(archive);
    try {
      const imported = await importArchive(order, run, options);
      await rm(archive).catch(() => undefined); // it expires
      return imported;
    } catch (error) {
      if (error instanceof GamekeeperError || run.signal.aborted || existsSync(archive)) throw error;
      throw missing(shownAs, error);
    } finally {
      importing.delete(archive);
    }
  };
}

function missing(shownAs: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('file_not_found', `The upload "${shownAs}" was imported or removed meanwhile.`, { cause });
}
