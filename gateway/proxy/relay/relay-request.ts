import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientHttp2Stream, constants } from 'node:http2';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { limitBody } from './body-limit.ts';
import { lostError } from './offline-error.ts';
import type { AnswerHeaders } from './relay-headers.ts';

/** A client that takes nothing for this long counts as gone. */
const STALLED_MS = 60_000;

export interface RelayRequestOptions {
  /** Returns the headers for the client. */
  answerHeaders: AnswerHeaders;
  /** To the daemon: the request's head was sent. */
  stream: ClientHttp2Stream;
  bodyBytes: number;
  leave: () => void;
  refuse: (error: GamekeeperError) => void;
}

/** Passes a request's body to a daemon, and its response back. If one side leaves, so does the other. */
export function relayRequest(request: IncomingMessage, response: ServerResponse, options: RelayRequestOptions): void {
  const { answerHeaders, stream, bodyBytes, leave, refuse } = options;
  const { socket } = request;
  let failure = lostError();
  if (hasBody(request))
    sendBody(request, stream, {
      most: bodyBytes,
      onTooLarge() {
        failure = tooLarge(bodyBytes);
        end(stream);
      },
    });
  stream.on('error', () => undefined); // Followed by 'close'.
  stream.once('response', (answer) => {
    const status = Number(answer[':status']);
    if (!(status >= 200 && status <= 999)) return stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    response.writeHead(status, answerHeaders(answer));
    endStalled(response);
    // Not by `pipeline`: a stream that was reset ends like a complete one.
    stream.pipe(response, { end: false });
    stream.once('end', () => (stream.rstCode === constants.NGHTTP2_NO_ERROR ? response.end() : response.destroy()));
  });
  // The client may have left already: 'close' does not come twice.
  if (socket.destroyed) end(stream);
  // A response that waits for an earlier one on the same connection does not tell that the client has left.
  const left = () => end(stream);
  for (const part of [socket, response]) part.once('close', left);
  stream.once('close', () => {
    leave();
    socket.off('close', left);
    if (!response.headersSent && !response.destroyed) refuse(failure);
    // An answer that is cut short must not look complete.
    else if (!response.writableEnded) response.destroy();
  });
}

/** Throws `body_too_large` for a body that is announced as such. */
export function requireSmall(request: IncomingMessage, bodyBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) throw tooLarge(bodyBytes);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Not by `pipeline`: the daemon may answer before the end of the body, and that would close the connection to the client. */
function sendBody(
  request: IncomingMessage,
  stream: ClientHttp2Stream,
  { most, onTooLarge }: { most: number; onTooLarge: () => void },
): void {
  const limited = limitBody(most);
  limited.once('error', onTooLarge);
  request.pipe(limited).pipe(stream);
}

function end(stream: ClientHttp2Stream): void {
  if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
}

/** A response that waits for its reader costs memory here, and a place at the daemon. */
function endStalled(response: ServerResponse): void {
  response.setTimeout(STALLED_MS, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

function tooLarge(bodyBytes: number): GamekeeperError {
  return new GamekeeperError('body_too_large', `The body is larger than ${bodyBytes} bytes.`, {
    resolution: `Send at most ${bodyBytes} bytes.`,
  });
}
