import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Family, Labels } from './family.ts';
import type { Format } from './format.ts';

export interface Exposition {
  contentType: Format;
  text: Buffer;
}

/** Writes the metrics as text. */
export async function expose(families: readonly Family[], contentType: Format): Promise<Exposition> {
  // One registry per scrape: the format is part of its state, and writing OpenMetrics renames its counters.
  const registry = new Registry<Format>();
  registry.setContentType(contentType);
  for (const family of families) register(family, registry);
  return { contentType, text: Buffer.from(await registry.metrics()) };
}

function register(family: Family, registry: Registry<Format>): void {
  const { name, help } = family;
  const labelNames = [...new Set(family.samples.flatMap(({ labels }) => Object.keys(labels)))];
  if (family.type === 'histogram') {
    registry.registerMetric(new CountedHistogram({ name, help, labelNames }, family.samples));
    return;
  }
  const options = { name, help, labelNames, registers: [registry] };
  const metric = family.type === 'gauge' ? new Gauge(options) : new Counter(options);
  for (const { labels, value } of family.samples) metric.inc(labels, value);
}

type CountedSamples = Extract<Family, { type: 'histogram' }>['samples'];

/** A histogram that was counted elsewhere. prom-client's own class cannot take existing counts. */
class CountedHistogram extends Histogram {
  readonly #options: { name: string; help: string };
  readonly #samples: CountedSamples;

  constructor(options: { name: string; help: string; labelNames: string[] }, samples: CountedSamples) {
    super({ ...options, registers: [] });
    this.#options = options;
    this.#samples = samples;
  }

  /** Called by the registry when it writes text (prom-client 15, lib/registry.js). */
  async getForPromString() {
    const { name, help } = this.#options;
    const values = this.#samples.flatMap((sample) => seriesOf(name, sample));
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }
}

function seriesOf(name: string, { labels, value: { bounds, counts, sum } }: CountedSamples[number]) {
  const series = (suffix: string, value: number, more: Labels = {}) => ({
    metricName: `${name}_${suffix}`,
    labels: { ...more, ...labels },
    value,
  });
  let count = 0;
  const buckets = counts.map((inBucket, index) => {
    count += inBucket;
    return series('bucket', count, { le: bounds[index] ?? '+Inf' });
  });
  return [...buckets, series('sum', sum), series('count', count)];
}
