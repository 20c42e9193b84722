import type { AnyTRPCRouter } from '@trpc/server';
import { GamekeeperError } from '../../errors/gamekeeper-error.ts';
import type { AnswerOptions, CallOptions, Calls } from './calls.ts';
import { type Connection, type DialOptions, dial, type PeerInfo, Silence } from './connection.ts';
import { openStream } from './stream.ts';

/** A peer that takes longer hangs, unless the call sets `timeoutMs`. Milliseconds. */
const DEFAULT_CALL_TIMEOUT_MS = 10_000;

export interface IpcClientOptions extends Omit<DialOptions, 'socketPath'> {
  /** Where to connect. A function is called again for each new connection. */
  socketPath: string | (() => Promise<string>);
  /** The router's subscriptions: a client that has only the type cannot tell them from queries. */
  streams: readonly string[];
}

export interface IpcClient<Router extends AnyTRPCRouter> {
  /** The typed calls. They reject with the peer's own GamekeeperErrors, or `unavailable`. */
  readonly call: Calls<Router>;
  /** Connects if there is no connection. Resolves to who answered. */
  hello(): Promise<PeerInfo>;
  /** Runs `listener` each time an established connection is lost. Returns a function that removes it. */
  onLost(listener: () => void): () => void;
  close(): void;
}

/**
 * Returns a client that connects on its first call, and again on the next call after its connection was lost. Every call settles: with a
 * result, a coded error, a timeout or the peer's exit.
 */
export function createIpcClient<Router extends AnyTRPCRouter>(options: IpcClientOptions): IpcClient<Router> {
  const lostListeners = new Set<() => void>();
  const streams = new Set(options.streams);
  let current: Promise<Connection> | undefined;
  let closed = false;

  function connection(): Promise<Connection> {
    if (closed)
      return Promise.reject(new GamekeeperError(options.unavailable, `The connection to ${options.name} is closed.`));
    current ??= establish().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  }

  async function establish(): Promise<Connection> {
    const socketPath = typeof options.socketPath === 'string' ? options.socketPath : await options.socketPath();
    const established = await dial({ ...options, socketPath });
    established.onClose(() => {
      current = undefined;
      for (const listener of lostListeners) listener();
    });
    return established;
  }

  const call = new Proxy(Object.freeze({}), {
    get: (_, path) => {
      if (typeof path !== 'string') return undefined;
      return streams.has(path)
        ? (input: unknown, callOptions: CallOptions = {}) => openStream(connection, { path, input, ...callOptions })
        : (input: unknown, callOptions: AnswerOptions = {}) =>
            request(connection, path, input, { ...callOptions, name: options.name, unavailable: options.unavailable });
    },
  }) as Calls<Router>;

  return {
    call,
    hello: async () => (await connection()).peer,
    onLost(listener) {
      lostListeners.add(listener);
      return () => lostListeners.delete(listener);
    },
    close() {
      closed = true;
      current?.then(
        (established) => established.close(),
        () => undefined, // it never connected
      );
    },
  };
}

type RequestOptions = AnswerOptions & Pick<DialOptions, 'name' | 'unavailable'>;

async function request(
  connect: () => Promise<Connection>,
  path: string,
  input: unknown,
  options: RequestOptions,
): Promise<unknown> {
  const connection = await connect();
  options.signal?.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    let value: unknown;
    let timer: NodeJS.Timeout | undefined;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const abort = connection.call(
      { path, input, ...(options.requestId !== undefined && { requestId: options.requestId }) },
      {
        data(received) {
          try {
            if (!(received instanceof Uint8Array)) value = received;
            else if (options.onBytes) options.onBytes(received);
            else value = Buffer.from(received);
          } catch (error) {
            settle(() => reject(error));
          }
        },
        end: () => settle(() => resolve(value)),
        failed: (error) => settle(() => reject(error)),
      },
    );
    const giveUp = (error: unknown) => {
      abort();
      settle(() => reject(error));
    };
    const onAbort = () => giveUp(options.signal?.reason);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs > 0) {
      timer = setTimeout(
        () =>
          giveUp(
            new GamekeeperError(options.unavailable, `${options.name} did not answer in time.`, {
              retryAfterSeconds: 1,
              cause: new Silence(),
            }),
          ),
        timeoutMs,
      );
    }
  });
}
