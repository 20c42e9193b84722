import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { importArchive } from './import-archive.ts';

/**
 * Returns what imports an uploaded archive and then removes it; after a failure it stays for another attempt. Throws `already_in_progress` during
 * another import of it, and `file_not_found` after one.
 */
export function createUploadImport(): typeof importArchive {
  const importing = new Set<string>();
  return async (order, run, options) => {
    const { archive, shownAs } = order;
    if (importing.has(archive))
      throw new GamekeeperError('already_in_progress', `The upload "${shownAs}" is being imported.`);
    if (!existsSync(archive))
      throw new GamekeeperError('file_not_found', `The upload "${shownAs}" was imported or removed meanwhile.`);
    importing.add(archive);
    try {
      const imported = await importArchive(order, run, options);
      await rm(archive).catch(() => undefined); // it expires
      return imported;
    } finally {
      importing.delete(archive);
    }
  };
}
