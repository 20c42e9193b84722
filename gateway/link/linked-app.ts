import type { Duplex } from 'node:stream';
import { buildApp } from '../app.ts';
import type { Gateway } from '../gateway.ts';
import type { LinkTarget } from './link.ts';

/** Serves connections from the proxy: the resources, the console and the panel, but neither sign-in nor anything for signed-in users. */
export interface LinkedApp {
  serve(connection: Duplex, target: LinkTarget): void;
  close(): Promise<void>;
}

export async function createLinkedApp(gateway: Gateway): Promise<LinkedApp> {
  let proxyHost: string | undefined;
  const app = await buildApp({
    gateway,
    families: ['daemon', 'versioned'],
    local: false,
    loopback: false,
    proxyHost: () => proxyHost,
  });
  await app.ready();
  return {
    serve(connection, { issuer }) {
      proxyHost = new URL(issuer).host;
      app.server.emit('connection', connection);
    },
    close: async () => void (await app.close()),
  };
}
