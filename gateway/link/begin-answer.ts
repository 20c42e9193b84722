import type { OutgoingHttpHeaders } from 'node:http';
import type { ServerHttp2Stream, ServerStreamResponseOptions } from 'node:http2';

/**
 * Sends the status and headers of an answer. Returns false, and gives the stream up, if the proxy has reset it: `respond` throws then, also
 * while the stream is closed but not yet destroyed because its body was not read.
 */
export function beginAnswer(
  stream: ServerHttp2Stream,
  headers: OutgoingHttpHeaders,
  options?: ServerStreamResponseOptions,
): boolean {
  if (stream.destroyed || stream.closed) {
    stream.destroy();
    return false;
  }
  stream.respond(headers, options);
  return true;
}
