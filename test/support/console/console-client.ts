import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import type { Api } from '../../../gateway/http/zod-provider.ts';

/** The HTTP response to a refused WebSocket handshake. */
export interface Refusal {
  statusCode: number;
  headers: IncomingMessage['headers'];
  json(): { code: string; detail: string };
}

/** A WebSocket client of a console. */
export interface ConsoleClient {
  readonly socket: WebSocket;
  /** Every text frame so far. */
  readonly frames: string[];
  /** All text so far. */
  text(): string;
  /** Resolves when `condition` holds, which is checked after every frame. Rejects after 10 s. */
  until(condition: (client: ConsoleClient) => boolean, what?: string): Promise<void>;
  closed(): Promise<{ code: number; reason: string }>;
}

const PATIENCE_MS = 10_000;

/** Makes an app listen if it does not yet. Resolves to its port. Does not close the app. */
export async function portOf(app: Api): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** Connects to a console. Rejects with a `Refusal` if the handshake is refused. */
export async function openConsole(
  t: Test,
  app: Api,
  { path = '/ws/instances/demo/console', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<ConsoleClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${await portOf(app)}${path}`, { headers });
  t.teardown(() => socket.terminate());
  const frames: string[] = [];
  const listeners = new Set<() => void>();
  socket.on('message', (data) => {
    frames.push(String(data));
    for (const listener of listeners) listener();
  });
  const client: ConsoleClient = {
    socket,
    frames,
    text: () => frames.join(''),
    until: (condition, what = 'the expected text') =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(check);
          reject(new Error(`${what} did not arrive; the last text is: ${client.text().slice(-300)}`));
        }, PATIENCE_MS);
        const check = () => {
          if (!condition(client)) return;
          clearTimeout(timer);
          listeners.delete(check);
          resolve();
        };
        listeners.add(check);
        check();
      }),
    closed: () =>
      new Promise((resolve) => socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))),
  };
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        reject({
          statusCode: response.statusCode ?? 0,
          headers: response.headers,
          json: () => JSON.parse(Buffer.concat(chunks).toString()),
        } satisfies Refusal),
      );
    });
  });
  return client;
}

/** Resolves to the refusal of a connection. Throws if it is accepted. */
export async function refusalOf(...attempt: Parameters<typeof openConsole>): Promise<Refusal> {
  try {
    await openConsole(...attempt);
  } catch (refusal) {
    return refusal as Refusal;
  }
  throw new Error('The console was opened.');
}
