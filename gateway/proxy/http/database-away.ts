import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** When to try again while the database is away. */
export const DATABASE_RETRY_S = 5;

/** What a client learns while PostgreSQL cannot be reached. */
export function databaseAway(cause: unknown): GamekeeperError {
  return new GamekeeperError('proxy_unavailable', 'The proxy cannot reach its database at the moment.', {
    resolution: 'Try again in a moment.',
    retryAfterSeconds: DATABASE_RETRY_S,
    cause,
  });
}
