import type { FastifyReply } from 'fastify';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';

/**
 * Returns a signal that fires when the client leaves before it has the whole answer. Fastify's `request.signal` fires as soon as the request
 * is read: since Node.js 16 that closes an IncomingMessage.
 */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // A coded error: it is nobody's fault, so the log need not have it.
  raw.once('close', () => controller.abort(new GamekeeperError('request_timeout', 'The client has left.')));
  return controller.signal;
}
