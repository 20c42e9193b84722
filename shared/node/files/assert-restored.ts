import { existsSync } from 'node:fs';
import { GamekeeperError } from '../../errors/gamekeeper-error.ts';
import type { Home } from './home.ts';

/**
 * Throws `already_in_progress` while a restore of the instance is unfinished, because its files may be in several places. The jobs process
 * finishes or undoes an interrupted one as soon as it runs.
 */
export function assertRestored(home: Home, id: string): void {
  if (existsSync(home.restoreMark(id)))
    throw new GamekeeperError('already_in_progress', `A restore of "${id}" was interrupted and is being finished.`, {
      resolution:
        'Wait a moment. If this does not help, look in logs/jobs.log for the reason, or restore a backup again.',
    });
}
