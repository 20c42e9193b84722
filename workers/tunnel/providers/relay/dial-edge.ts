import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { MOST_CONTROL_BYTES, TUNNEL_SUBPROTOCOL } from '../../../../shared/node/tunnel/relay-protocol.ts';
import { TunnelError } from '../provider.ts';

const HANDSHAKE_TIMEOUT_MS = 15_000;
const MOST_ERROR_BYTES = 16 * 1024;
const MOST_DETAIL_LENGTH = 300;

/** Opens a control link. Rejects with a TunnelError that says why it could not. `onOpen` is called before its first message. */
export async function dialEdge(
  { url, token }: { url: string; token: string },
  signal: AbortSignal,
  onOpen: (socket: WebSocket) => void,
): Promise<WebSocket> {
  const { WebSocket } = await import('ws');
  signal.throwIfAborted();
  const socket = new WebSocket(url.replace(/^http/, 'ws'), TUNNEL_SUBPROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: MOST_CONTROL_BYTES,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  });
  const abort = () => socket.terminate();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => {
        onOpen(socket);
        resolve();
      });
      socket.on('error', (error) =>
        reject(
          new TunnelError(
            `The proxy cannot be reached at ${new URL(url).host} (${errorCode(error) ?? error.message}).`,
          ),
        ),
      );
      socket.once('unexpected-response', (request, response) => {
        void refusalOf(response).then((refusal) => {
          request.destroy();
          reject(refusal);
        });
      });
    });
    return socket;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function refusalOf(response: IncomingMessage): Promise<TunnelError> {
  const fallback = `The proxy answered with status ${response.statusCode}.`;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_ERROR_BYTES) return new TunnelError(fallback);
      chunks.push(chunk);
    }
    const { detail, resolution = '' } = JSON.parse(Buffer.concat(chunks).toString());
    const words = `${detail} ${resolution}`.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim();
    return new TunnelError(typeof detail === 'string' ? words.slice(0, MOST_DETAIL_LENGTH) : fallback);
  } catch {
    return new TunnelError(fallback);
  }
}
