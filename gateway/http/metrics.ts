import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../../shared/domain/version.ts';

/** How often the event loop's delay is sampled, milliseconds. */
const EVENT_LOOP_SAMPLE_MS = 100;
/** Seconds. From a cached answer to a request that waits for a large backup. */
const DURATION_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** `route` is the pattern, not the path. */
export interface RequestKind {
  method: string;
  route: string;
  status: number;
}

export interface Metrics {
  /** Own metrics are registered here. */
  readonly registry: Registry;
  /** How often requests of this kind were answered: for whoever counts them, one `count++` for each. */
  requests(kind: RequestKind): { count: number };
  /** Counts an answered request and how long it took. */
  observeRequest(kind: RequestKind, seconds: number): void;
  /** The text for a scraper that accepts `accept`, with its content type. */
  scrape(accept: string | undefined): Promise<{ contentType: string; text: string }>;
}

/** The metrics of this process and its HTTP. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: 'gamekeeper_',
    eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
  });
  new Gauge({
    name: 'gamekeeper_build_info',
    help: 'Version of this Gamekeeper; the value is 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  // Counted in plain numbers and handed over when scraped: a request is not the time to look up labels.
  const counts = new Map<string, RequestKind & { count: number }>();
  new Counter({
    name: 'gamekeeper_http_requests_total',
    help: 'Answered HTTP requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { count, ...labels } of counts.values()) this.inc(labels, count);
    },
  });
  const durations = new Histogram({
    name: 'gamekeeper_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  let scraping: Promise<unknown> = Promise.resolve();

  function requests({ method, route, status }: RequestKind): { count: number } {
    const key = `${status} ${method} ${route}`;
    const known = counts.get(key);
    if (known) return known;
    const counted = { method, route, status, count: 0 };
    counts.set(key, counted);
    return counted;
  }

  return {
    registry,
    requests,
    observeRequest(kind, seconds) {
      requests(kind).count++;
      durations.observe({ method: kind.method, route: kind.route }, seconds);
    },
    scrape(accept) {
      const contentType = accept?.includes('application/openmetrics-text') ? OPEN_METRICS : PROMETHEUS;
      // The format is a state of the registry: one scrape after the other.
      const scraped = scraping.then(async () => {
        (registry as Registry<typeof OPEN_METRICS | typeof PROMETHEUS>).setContentType(contentType);
        return { contentType, text: await registry.metrics() };
      });
      scraping = scraped.catch(() => undefined); // this scrape's own caller hears of it
      return scraped;
    },
  };
}
