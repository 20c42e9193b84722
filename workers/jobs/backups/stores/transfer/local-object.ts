import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { StoredObject } from '../store.ts';
import { notKept } from '../store-error.ts';
import { localSize, readLocal, sha256Of } from './local-file.ts';

/** An object to store, and its local file. */
export interface LocalObject extends StoredObject {
  file: string;
}

/** Throws `backup_damaged` if the file is missing or has the wrong size. */
export async function requireWhole({ file, sizeBytes }: LocalObject): Promise<void> {
  if ((await localSize(file)) !== sizeBytes) throw damagedHere('is missing or has the wrong size');
}

/** Explains why an upload differs from its hash: it changed on the way, or the archive on this machine is damaged. */
export async function whyDifferent(store: string, { file, sha256 }: LocalObject): Promise<GamekeeperError> {
  if ((await sha256Of(readLocal(file, { start: 0 }))) !== sha256) return damagedHere('is damaged');
  return notKept(store);
}

/** `what` is wrong with the archive. */
export function damagedHere(what: string): GamekeeperError {
  return new GamekeeperError('backup_damaged', `The archive in the backups folder ${what}; it was not copied.`);
}
