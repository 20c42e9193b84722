import type { FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';

/** Part of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Returns the bytes to send, and sets status and headers. Throws `range_not_satisfiable`. */
export function chosenPart(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { size, etag }: { size: number; etag: string },
): ByteRange {
  reply.header('accept-ranges', 'bytes').header('etag', etag);
  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? byteRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new GamekeeperError('range_not_satisfiable', `There are ${size} bytes.`);
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return range ?? { start: 0, end: size - 1 };
}

/**
 * Parses a `Range` header (RFC 9110, section 14) for a file of `size` bytes. Returns `undefined` for the whole file, which the RFC also
 * allows for several ranges or an unknown unit; `unsatisfiable` for 416.
 */
function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
