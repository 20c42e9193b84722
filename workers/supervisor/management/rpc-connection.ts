import type { RawData, WebSocket } from 'ws';
import { ManagementError } from './management-error.ts';

export interface RpcAddress {
  host: string;
  port: number;
  secret: string;
  /** The server's own certificate, PEM; absent: without TLS. */
  certificate?: string;
}

/** Called for messages that the server sends without a request. */
export type NotificationListener = (method: string, params: unknown) => void;

/** A loopback connection: a server that takes longer hangs. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** The list of some ten thousand bans. */
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Connects to a management server. Throws ManagementError `unavailable`. */
export async function openRpcConnection(
  { host, port, secret, certificate }: RpcAddress,
  onNotification: NotificationListener,
): Promise<RpcConnection> {
  // Imported here because few servers need it: the other supervisors save the memory.
  const { WebSocket } = await import('ws');
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const socket = new WebSocket(`${certificate === undefined ? 'ws' : 'wss'}://${authority}/`, {
    headers: { authorization: `Bearer ${secret}` },
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    maxPayload: LONGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    // Exactly this certificate is expected, whatever host name it contains.
    ...(certificate !== undefined && { ca: certificate, checkServerIdentity: () => undefined }),
  });
  const connection = new RpcConnection(socket, onNotification);
  try {
    await connection.opened;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ManagementError('unavailable', `The management server on ${authority} cannot be reached: ${why}`, {
      cause,
    });
  }
  return connection;
}

interface PendingCall {
  method: string;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A connection to a management server: JSON-RPC 2.0 over WebSocket. */
export class RpcConnection {
  /** Resolves when calls can be made. */
  readonly opened: Promise<void>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #onNotification: NotificationListener;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;

  constructor(socket: WebSocket, onNotification: NotificationListener) {
    const opened = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    this.opened = opened.promise;
    this.closed = closed.promise;
    this.#socket = socket;
    this.#onNotification = onNotification;
    socket.on('open', () => opened.resolve());
    socket.on('error', (error) => opened.reject(error)); // later, 'close' follows
    socket.on('close', () => {
      this.#failPending();
      closed.resolve();
    });
    socket.on('message', (data) => this.#take(asMessage(data)));
  }

  /** Calls a method and resolves to its result. Throws ManagementError. */
  async call(method: string, params: readonly unknown[], { timeoutMs }: { timeoutMs: number }): Promise<unknown> {
    if (this.#socket.readyState !== this.#socket.OPEN)
      throw new ManagementError('unavailable', 'The connection has ended');
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    const late = new ManagementError('no-answer', `${method} was not answered within ${timeoutMs / 1000} s`);
    const timer = setTimeout(() => answer.reject(late), timeoutMs);
    this.#pending.set(id, { method, ...answer });
    try {
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  close(): void {
    this.#socket.terminate();
  }

  #take({ id, method, params, result, error }: RpcMessage): void {
    if (typeof method === 'string') this.#onNotification(method, params);
    const call = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (!call) return;
    if (error === undefined) call.resolve(result);
    else call.reject(new ManagementError('refused', `${call.method}: ${JSON.stringify(error).slice(0, 300)}`));
  }

  #failPending(): void {
    for (const { method, reject } of this.#pending.values())
      reject(new ManagementError('no-answer', `The connection was lost before ${method} was answered`));
    this.#pending.clear();
  }
}

interface RpcMessage {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** Anything but a JSON object counts as an empty message, which is ignored. */
function asMessage(data: RawData): RpcMessage {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
