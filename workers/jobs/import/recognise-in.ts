import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { RecogniseResult } from '../../pool/task-types.ts';
import type { Pool } from '../resources/pool.ts';

/** Recognition takes a second on a slow disk. Only a hostile folder takes longer than this. Milliseconds. */
export const RECOGNISING_MS = 30_000;

/** Recognises the server in a folder, in a thread that is ended after a timeout. Throws `invalid_state` in that case. */
export async function recogniseIn(directory: string, pool: Pool): Promise<RecogniseResult> {
  const deadline = AbortSignal.timeout(RECOGNISING_MS);
  try {
    return await pool.run('recognise', { directory }, deadline);
  } catch (cause) {
    if (!deadline.aborted) throw cause;
    throw new GamekeeperError(
      'invalid_state',
      `Looking through ${directory} took longer than ${RECOGNISING_MS / 1000} seconds.`,
      {
        resolution: 'Create the instance with POST /instances, with software and version, instead of importing it.',
        cause,
      },
    );
  }
}
