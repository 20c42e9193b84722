const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** A content type. */
export type Format = typeof OPEN_METRICS | typeof PROMETHEUS;

/** Returns OpenMetrics if `accept` asks for it, else the format of Prometheus. */
export function formatFor(accept: string | undefined): Format {
  return accept?.includes('application/openmetrics-text') ? OPEN_METRICS : PROMETHEUS;
}
