import { existsSync } from 'node:fs';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';

/** Throws `already_in_progress` while a restore replaces an instance's folder. */
export function requireNoRestore(home: Home, instanceId: string): void {
  if (existsSync(home.restoreMark(instanceId)))
    throw new GamekeeperError('already_in_progress', 'A backup is being restored, which replaces all files.', {
      resolution: 'Wait until the restore has ended.',
    });
}
