import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { canSee, type Holder } from './rights.ts';

/** A failure as the holder is told of it: naming the other instance that has to do with it, where the holder can see that. */
export function redactForCaller(holder: Holder, error: unknown): unknown {
  if (!(error instanceof GamekeeperError) || !error.otherInstance) return error;
  const { id, detail, resolution } = error.otherInstance;
  return canSee(holder, id) ? new GamekeeperError(error.code, detail, { resolution, cause: error }) : error;
}
