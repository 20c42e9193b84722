import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { setBodyTimer } from './server.ts';

/** A client that sends nothing for this long counts as gone. Milliseconds. */
const STALLED_MS = 60_000;

/**
 * Returns the body of an upload as it arrives, and its announced size. It fails when nothing arrives for a minute. What nobody reads before the answer
 * is dropped after it.
 */
export function uploadedBody(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
): { body: Readable; sizeBytes: number | undefined } {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = headers;
  if (encoding.toLowerCase() !== 'identity')
    throw new GamekeeperError('unsupported_media_type', 'The body must not be compressed.', {
      resolution: 'Send it without Content-Encoding.',
    });
  const stalled = setTimeout(() => {
    // What waits here was not taken yet: our disk is slow, not the client.
    if (raw.readableLength > 0) stalled.refresh();
    else raw.destroy(new GamekeeperError('request_timeout', 'Nothing arrived for a minute.'));
  }, STALLED_MS);
  setBodyTimer(raw, stalled);
  const arrived = () => void stalled.refresh();
  raw.on('data', arrived);
  raw.pause(); // until somebody reads
  // Node does this only for requests without listeners, of which one may have paused it.
  reply.raw.once('finish', () => raw.removeAllListeners('data').on('data', arrived).resume());
  return { body: raw, sizeBytes: length === undefined ? undefined : Number(length) };
}
