import type { FastifyInstance } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** No address or form needs a NUL, and PostgreSQL refuses it in text (https://www.postgresql.org/docs/current/datatype-character.html). */
export function refuseNul(app: FastifyInstance): void {
  app.addHook('onRequest', ({ url }, _reply, done) => done(nulIn(url)));
}

/** Returns an error if a URL-encoded text contains a NUL. */
export function nulIn(encoded: string): GamekeeperError | undefined {
  if (!encoded.includes('%00') && !encoded.includes('\0')) return undefined;
  return new GamekeeperError('invalid_request', 'The request contains a NUL character.', {
    resolution: 'Remove it.',
  });
}
