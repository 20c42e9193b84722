import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** True for what says that an archive, or a copy of it, is not what was written. */
export function isDamage(error: unknown): error is GamekeeperError {
  return error instanceof GamekeeperError && error.code === 'backup_damaged';
}
