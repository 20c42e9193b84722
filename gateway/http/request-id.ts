import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A caller's own id is kept when it cannot hurt a log or a terminal. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id that every answer carries as `x-request-id` and every log line of the request in each process. Noted in the request, so that
 * it is the same whoever asks.
 */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
  const id = randomUUID();
  headers['x-request-id'] = id;
  return id;
}
