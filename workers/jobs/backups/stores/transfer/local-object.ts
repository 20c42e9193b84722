import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { StoredObject } from '../store.ts';
import { notKept } from '../store-error.ts';
import { localSize, readLocal, sha256Of } from './local-file.ts';

/** What is to be stored, and the file that it is. */
export interface LocalObject extends StoredObject {
  file: string;
}

/** Throws `backup_damaged` when the file cannot be what it should be. */
export async function requireWhole({ file, sizeBytes }: LocalObject): Promise<void> {
  if ((await localSize(file)) !== sizeBytes) throw damagedHere('is missing, or not as long as it was');
}

/** What was sent from the start is not what lies there: either it changed on the way, or the archive is not what it was. */
export async function whyDifferent(store: string, { file, sha256 }: LocalObject): Promise<GamekeeperError> {
  if ((await sha256Of(readLocal(file, { start: 0 }))) !== sha256) return damagedHere('is damaged');
  return notKept(store);
}

/** `what` is wrong with the archive. */
export function damagedHere(what: string): GamekeeperError {
  return new GamekeeperError('backup_damaged', `The archive in the backups folder ${what}; it was not copied.`);
}
