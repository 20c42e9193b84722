import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import type { ProxyMetrics } from './proxy-metrics.ts';

/** Where Prometheus finds the metrics. They are for whoever runs the proxy, so it is another port than the public one. */
export interface MetricsAddress {
  host: string;
  /** 0: any free port. */
  port: number;
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `GET /metrics`. Throws StartupError if the address cannot be listened on. */
export async function serveMetrics(metrics: ProxyMetrics, { host, port }: MetricsAddress): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end();
    return response.setHeader('content-type', metrics.contentType).end(await metrics.text());
  });
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartupError(
      `The metrics cannot be served on ${host}:${port} (${code}).\nSet another GAMEKEEPER_PROXY_METRICS_PORT.`,
      { cause },
    );
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
