import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { errorCode } from '../../shared/errors/error-code.ts';
import { LINK_SUBPROTOCOL, linkPath, MAX_MESSAGE_BYTES } from '../../shared/node/link/protocol.ts';

const HANDSHAKE_TIMEOUT_MS = 15_000;
const MOST_ERROR_BYTES = 16 * 1024;
const MOST_DETAIL_LENGTH = 300;
/** Client errors that another attempt may not have: a timeout, too many requests. */
const PASSING = new Set([408, 429]);

/** Why a link could not be opened. */
export class DialError extends Error {
  override readonly name = 'DialError';
  /** True if the proxy does not accept this daemon, which another attempt would not change. */
  readonly refused: boolean;
  readonly retryAfterMs: number;

  constructor(
    message: string,
    { refused = false, retryAfterMs = 0 }: { refused?: boolean; retryAfterMs?: number } = {},
  ) {
    super(message);
    this.refused = refused;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface DialOptions {
  issuer: string;
  daemonId: string;
  token: string;
  signal: AbortSignal;
  /** Called as soon as the socket is open, before its first message. */
  onOpen: (socket: WebSocket) => void;
}

/** Opens the WebSocket of a link. Rejects with a DialError that says why it could not. */
export async function dial({ issuer, daemonId, token, signal, onOpen }: DialOptions): Promise<void> {
  signal.throwIfAborted();
  const socket = new WebSocket(`${issuer.replace(/^http/, 'ws')}${linkPath(daemonId)}`, LINK_SUBPROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
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
      socket.on('error', (error) => reject(new DialError(`The proxy cannot be reached (${reasonOf(error)}).`)));
      socket.once('unexpected-response', (request, response) => {
        void refusalOf(response).then((refusal) => {
          request.destroy();
          reject(refusal);
        });
      });
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function reasonOf(error: Error): string {
  return errorCode(error) ?? error.message;
}

async function refusalOf(response: IncomingMessage): Promise<DialError> {
  const { statusCode: status = 0, headers } = response;
  const detail = await detailOf(response);
  const refused = status >= 400 && status < 500 && !PASSING.has(status);
  const seconds = Number(headers['retry-after'] ?? 0);
  return new DialError(detail ?? `The proxy answered with status ${status}.`, {
    refused,
    retryAfterMs: Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0,
  });
}

/** Returns the `detail` of an ErrorResponse; `undefined` if the answer is anything else. */
async function detailOf(response: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_ERROR_BYTES) return undefined;
      chunks.push(chunk);
    }
    const { detail } = JSON.parse(Buffer.concat(chunks).toString()) as { detail?: unknown };
    if (typeof detail !== 'string') return undefined;
    return detail.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, MOST_DETAIL_LENGTH);
  } catch {
    return undefined;
  }
}
