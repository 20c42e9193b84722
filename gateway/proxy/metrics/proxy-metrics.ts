import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EdgeServer } from '../edge/edge.ts';
import type { Links } from '../links/links.ts';
import { checkDatabase, type Database } from '../store/database.ts';

/** Seconds. The relay adds a few milliseconds; a password takes tenths of a second. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Requests of relayed downloads and uploads last as long as they need. */
const RELAY = '/d/';
const ELSEWHERE = 'none';
/** Gauges of prom-client with names of counters, which `promtool check metrics` refuses. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export interface ProxyMetricsOptions {
  links: Pick<Links, 'count'>;
  /** Absent if players cannot connect to this process. */
  edge: Pick<EdgeServer, 'counts'> | undefined;
  database: Database;
  /** Resolves to whether new requests should come to this process. */
  isReady: () => Promise<boolean> | boolean;
}

/** What one process of the proxy counts, for Prometheus (docs/proxy/monitoring.md). */
export interface ProxyMetrics {
  readonly contentType: string;
  /** Counts the requests of an app. */
  observe(app: FastifyInstance): void;
  /** Resolves to everything as text. */
  text(): Promise<string>;
}

export function createProxyMetrics({ links, edge, database, isReady }: ProxyMetricsOptions): ProxyMetrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  for (const name of MISNAMED) register.removeSingleMetric(name);
  gauge('links', 'Daemons that are connected to this process.', () => links.count);
  gauge('ready', '1 if new requests should come to this process.', async () => Number(await isReady()));
  const database_ = gauge('database_up', '1 if the database answers.', () => undefined);
  gauge('database_answer_seconds', 'Time that the database takes for the simplest question.', async () => {
    const began = performance.now();
    const answers = await checkDatabase(database).then(
      () => true,
      () => false,
    );
    database_.set(Number(answers));
    return answers ? (performance.now() - began) / 1_000 : Number.NaN;
  });
  if (edge) addEdgeMetrics(edge, registers);
  const requests = new Counter({
    name: 'gamekeeper_proxy_requests_total',
    help: 'Answered requests.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'gamekeeper_proxy_request_seconds',
    help: 'Time of requests that are not relayed.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });

  function gauge(name: string, help: string, read: () => Promise<number> | number | undefined): Gauge {
    return new Gauge({
      name: `gamekeeper_proxy_${name}`,
      help,
      registers,
      async collect() {
        const value = await read();
        if (value !== undefined) this.set(value);
      },
    });
  }

  return {
    contentType: register.contentType,
    observe(app) {
      app.addHook('onResponse', async (request, reply) => {
        // The pattern, not the path: there are few of them, and they name nobody.
        const route = request.routeOptions.url ?? ELSEWHERE;
        requests.inc({ route, method: request.method, status: `${Math.floor(reply.raw.statusCode / 100)}xx` });
        if (!route.startsWith(RELAY)) seconds.observe({ route }, reply.elapsedTime / 1_000);
      });
    },
    text: () => register.metrics(),
  };
}

/** Of players. Counted elsewhere, so each scrape takes the totals over. */
function addEdgeMetrics(edge: Pick<EdgeServer, 'counts'>, registers: Registry[]): void {
  new Gauge({
    name: 'gamekeeper_proxy_tunnels',
    help: 'Servers that players can come in to.',
    registers,
    collect() {
      this.set(edge.counts().tunnels);
    },
  });
  new Gauge({
    name: 'gamekeeper_proxy_players',
    help: 'Players who are connected through this process.',
    registers,
    collect() {
      this.set(edge.counts().players);
    },
  });
  new Counter({
    name: 'gamekeeper_proxy_player_bytes_total',
    help: 'Bytes of players, both directions together.',
    registers,
    collect() {
      this.reset();
      this.inc(edge.counts().bytes);
    },
  });
  new Counter({
    name: 'gamekeeper_proxy_turned_away_total',
    help: 'Connections that did not reach a server, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of edge.counts().turnedAway) this.inc({ reason }, count);
    },
  });
}
