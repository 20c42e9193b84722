import type { ClientRequest, IncomingMessage } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { type Duplex, pipeline } from 'node:stream';
import { beginAnswer } from './begin-answer.ts';
import { toRequestHeaders, toResponseHeaders } from './forwarded-headers.ts';
import { connectInProcess } from './in-process-socket.ts';

/** Sends the request of a stream to the gateway, and its response back. If one side leaves, so does the other. */
export function forwardRequest(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  serve: (socket: Duplex) => void,
): void {
  const request = open(stream, { method: headers[':method'] ?? '', headers }, serve);
  if (!request) return;
  request.once('response', (response) => sendResponse(stream, response));
  if (stream.endAfterHeaders) {
    request.end();
    return;
  }
  // Not by `pipeline`: a response may come before the end of the body, and a stream that was reset ends like a complete one.
  stream.pipe(request, { end: false });
  stream.once('end', () => (stream.aborted || stream.rstCode !== 0 ? request.destroy() : request.end()));
}

/** Begins a request on a connection of its own. Returns `undefined` for a request that HTTP/1.1 does not allow; the stream is closed then. */
export function open(
  stream: ServerHttp2Stream,
  { method, headers, added = {} }: { method: string; headers: IncomingHttpHeaders; added?: Record<string, string> },
  serve: (socket: Duplex) => void,
): ClientRequest | undefined {
  const { constants } = process.getBuiltinModule('node:http2');
  const { client, server } = connectInProcess();
  let request: ClientRequest;
  try {
    request = process.getBuiltinModule('node:http').request({
      method,
      path: headers[':path'] ?? '/',
      headers: { ...toRequestHeaders(headers), ...added },
      createConnection: () => client,
    });
  } catch {
    stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    return undefined;
  }
  request.on('error', () => {
    if (!stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  stream.once('close', () => {
    request.destroy();
    // The gateway ends what it does for a client that has left.
    if (!server.destroyed && !client.readableEnded) server.destroy();
  });
  serve(server);
  return request;
}

export function sendResponse(stream: ServerHttp2Stream, response: IncomingMessage): void {
  if (!beginAnswer(stream, toResponseHeaders(response.statusCode ?? 500, response.headers))) {
    response.destroy();
    return;
  }
  if (stream.writableEnded) {
    response.resume();
    return;
  }
  pipeline(response, stream, () => undefined);
  // The rest of a body that nobody reads is not wanted (RFC 9113, section 8.1).
  stream.once('finish', () => stream.close(process.getBuiltinModule('node:http2').constants.NGHTTP2_NO_ERROR));
}
