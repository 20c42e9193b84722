import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';

/** 40 letters and digits, as vanilla requires. */
export const SECRET = 'Zx81Zx82Zx83Zx84Zx85Zx86Zx87Zx88Zx89Zx90';

export interface ManagementStandInOptions {
  /** Results by method. Other methods are "not found". A function that returns `undefined` never answers. */
  methods?: Record<string, (params: unknown) => unknown>;
  port?: number;
  tls?: { pfx: Buffer; passphrase: string };
}

/** A management server controlled by the test. */
export interface ManagementStandIn {
  port: number;
  /** The current connections. */
  clients: Set<WebSocket>;
  /** All calls so far. */
  asked: { method: string; params: unknown }[];
  notify(method: string, ...params: unknown[]): void;
  close(): Promise<void>;
}

export async function managementStandIn(t: Test, options: ManagementStandInOptions = {}): Promise<ManagementStandIn> {
  const { methods = {}, tls, port = 0 } = options;
  const server: Server = tls ? createTlsServer(tls) : createServer();
  const asked: ManagementStandIn['asked'] = [];
  const sockets = new WebSocketServer({
    server,
    // For clients that offer it.
    perMessageDeflate: true,
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.authorization === `Bearer ${SECRET}`,
  });
  sockets.on('connection', (client) => {
    client.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data)) as { id: number; method: string; params: unknown };
      asked.push({ method, params });
      const run = methods[method];
      if (!run) {
        client.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }));
        return;
      }
      const result = run(params);
      if (result !== undefined) client.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  let closed = false;
  const standIn: ManagementStandIn = {
    port: (server.address() as AddressInfo).port,
    clients: sockets.clients,
    asked,
    notify(method, ...params) {
      for (const client of sockets.clients) client.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const client of sockets.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
  t.teardown(() => standIn.close());
  return standIn;
}
