import type { RawData } from 'ws';
import { ManagementError } from './management-error.ts';

/** A connection to a management server: JSON-RPC 2.0 over WebSocket. */
export interface RpcConnection {
  /**
   * Calls a method and resolves to its result.
   *
   * @throws {ManagementError} `refused` or `no-answer`
   */
  call(method: string, params: readonly unknown[], options: { timeoutMs: number }): Promise<unknown>;
  /** Resolves when it has ended. */
  closed: Promise<void>;
  close(): void;
}

export interface RpcAddress {
  host: string;
  port: number;
  secret: string;
  /** The server's own certificate, PEM; absent: without TLS. */
  certificate?: string;
}

/** A loopback connection; a server that takes longer hangs. */
const CONNECT_TIMEOUT_MS = 5_000;
/** The list of some ten thousand bans. */
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * Connects. `onNotification` gets what the server says unasked.
 *
 * @throws {ManagementError} `unavailable`
 */
export async function openRpcConnection(
  { host, port, secret, certificate }: RpcAddress,
  onNotification: (method: string, params: unknown) => void,
): Promise<RpcConnection> {
  // Few servers are reached like this: the other supervisors need not have the package in memory.
  const { WebSocket } = await import('ws');
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const socket = new WebSocket(`${certificate === undefined ? 'ws' : 'wss'}://${authority}/`, {
    headers: { authorization: `Bearer ${secret}` },
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    maxPayload: LONGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    // It is exactly this certificate that we expect, whatever name stands in it.
    ...(certificate !== undefined && { ca: certificate, checkServerIdentity: () => undefined }),
  });
  const pending = new Map<
    number,
    { method: string; resolve: (result: unknown) => void; reject: (error: Error) => void }
  >();
  let lastId = 0;

  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  socket.on('open', () => opened.resolve());
  socket.on('error', (error) => opened.reject(error)); // once it is open, its end says the same
  socket.on('close', () => {
    for (const { method, reject } of pending.values())
      reject(new ManagementError('no-answer', `The connection was lost before ${method} was answered`));
    pending.clear();
    closed.resolve();
  });
  socket.on('message', (data) => take(asMessage(data)));

  function take({ id, method, params, result, error }: RpcMessage): void {
    if (typeof method === 'string') onNotification(method, params);
    const call = typeof id === 'number' ? pending.get(id) : undefined;
    if (!call) return;
    if (error === undefined) call.resolve(result);
    else call.reject(new ManagementError('refused', `${call.method}: ${JSON.stringify(error).slice(0, 300)}`));
  }

  try {
    await opened.promise;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ManagementError('unavailable', `The management server on ${authority} cannot be reached: ${why}`, {
      cause,
    });
  }
  return {
    async call(method, params, { timeoutMs }) {
      const id = ++lastId;
      const answer = Promise.withResolvers<unknown>();
      const timer = setTimeout(
        () =>
          answer.reject(new ManagementError('no-answer', `${method} was not answered within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      pending.set(id, { method, ...answer });
      try {
        if (socket.readyState !== WebSocket.OPEN) throw new ManagementError('unavailable', 'The connection has ended');
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        pending.delete(id);
      }
    },
    closed: closed.promise,
    close: () => socket.terminate(),
  };
}

interface RpcMessage {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** What is no message of JSON-RPC is one that says nothing. */
function asMessage(data: RawData): RpcMessage {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
