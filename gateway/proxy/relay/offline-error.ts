import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { RegisteredDaemon } from '../daemons/directory.ts';

const RETRY_AFTER_SECONDS = 5;
const LOST_RETRY_AFTER_SECONDS = 2;

/** The daemon is not connected. */
export class OfflineError extends GamekeeperError {
  readonly lastSeen: Date | undefined;

  constructor(daemon: RegisteredDaemon | undefined) {
    const name = daemon ? `"${daemon.name}"` : 'This daemon';
    const when = daemon?.lastSeen ? `since ${daemon.lastSeen.toISOString()}` : 'yet';
    super('daemon_unavailable', `${name} has not been connected ${when}.`, {
      resolution: 'Check that the computer is on, that Gamekeeper runs there, and that it has an internet connection.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
    this.lastSeen = daemon?.lastSeen;
  }
}

/** The daemon's connection ended before it answered. */
export function lostError(): GamekeeperError {
  return new GamekeeperError('daemon_unavailable', 'The connection to the daemon was lost.', {
    resolution: 'Try again in a moment. What the request was to do may have been done.',
    retryAfterSeconds: LOST_RETRY_AFTER_SECONDS,
  });
}
