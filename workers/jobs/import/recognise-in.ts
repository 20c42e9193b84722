import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { RecogniseResult } from '../../pool/task-types.ts';
import type { Pool } from '../resources/pool.ts';

/** A folder on a slow disk takes a second; longer than this it was made to take long. Milliseconds. */
export const RECOGNISING_MS = 30_000;

/** Has a folder looked at, by a thread that is ended if it takes too long. Throws `invalid_state` then. */
export async function recogniseIn(directory: string, pool: Pool): Promise<RecogniseResult> {
  const deadline = AbortSignal.timeout(RECOGNISING_MS);
  try {
    return await pool.run('recognise', { directory }, deadline);
  } catch (cause) {
    if (!deadline.aborted) throw cause;
    throw new GamekeeperError(
      'invalid_state',
      `${directory} could not be looked through within ${RECOGNISING_MS / 1000} seconds.`,
      { resolution: 'Give software and version with POST /instances instead of importing the folder.', cause },
    );
  }
}
