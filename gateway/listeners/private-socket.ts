import { createServer, type Socket } from 'node:net';
import { listenPrivately } from '../../shared/node/ipc/listen-privately.ts';
import { buildApp } from '../app.ts';
import type { Gateway } from '../gateway.ts';
import { closeServer } from '../http/close-server.ts';
import type { Api } from '../http/zod-provider.ts';
import { DRAIN_MS } from './listener.ts';
import { FAMILIES } from './listener-plan.ts';

/**
 * Serves everything to the command line, on a local socket that only this user can open. The app is built for the first connection, which
 * most gateways never get. Resolves to a function that closes it.
 */
export async function servePrivately(gateway: Gateway, socketPath: string): Promise<() => Promise<void>> {
  let building: Promise<Api> | undefined;
  const handOver = async (socket: Socket) => {
    building ??= buildPrivateApp(gateway);
    const { server } = await building;
    server.emit('connection', socket);
  };
  // The options of an HTTP server, to which the socket is given. What arrives before waits in the socket.
  const accepting = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    handOver(socket).catch((error: unknown) => {
      gateway.log.error({ err: error }, 'the command line cannot be served');
      socket.destroy();
    });
  });
  await listenPrivately(accepting, socketPath);
  return async () => {
    const app = await building?.catch(() => undefined); // it was logged
    if (app) await Promise.all([closeServer(app.server, DRAIN_MS, accepting), app.close()]);
    else accepting.close();
  };
}

async function buildPrivateApp(gateway: Gateway): Promise<Api> {
  const app = await buildApp({ gateway, families: FAMILIES, local: true, loopback: true });
  await app.ready();
  return app;
}
