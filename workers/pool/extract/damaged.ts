import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** `why` is a sentence. */
export function damaged(why: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('backup_damaged', `The backup is damaged. ${why}`, cause === undefined ? {} : { cause });
}

export function wrongHash(): GamekeeperError {
  return damaged('Its SHA-256 is not the one that was recorded.');
}
