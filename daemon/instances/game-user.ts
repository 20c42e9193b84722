import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { findGameUser } from '../../shared/node/processes/system-user.ts';

/** Throws `invalid_request` unless servers can run as this user. */
export async function checkGameUser(runAs: string | null | undefined): Promise<void> {
  if (runAs === undefined || runAs === null) return;
  try {
    await findGameUser(runAs);
  } catch (cause) {
    if (!(cause instanceof GamekeeperError)) throw cause;
    const { message, resolution } = cause;
    throw new GamekeeperError('invalid_request', `runAs: ${message}`, { resolution, cause });
  }
}
