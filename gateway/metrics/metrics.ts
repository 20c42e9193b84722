import { VERSION } from '../../shared/domain/version.ts';
import { readClocks } from '../../shared/node/primitives/clocks.ts';
import { createProcessMeter } from '../../shared/node/processes/process-meter.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Stats } from '../upstream/stats.ts';
import { type ConsoleTraffic, createConsoleTraffics } from './console-traffic.ts';
import type { Exposition } from './exposition.ts';
import type { Family } from './family.ts';
import { type Format, formatFor } from './format.ts';
import { instanceLabels, instanceMetrics } from './instance-metrics.ts';
import { jobMetrics } from './job-metrics.ts';
import { type ObservedProcess, processMetrics } from './process-metrics.ts';
import { createRequestCounts, type RequestCounts } from './request-counts.ts';
import { supervisorMetrics } from './supervisor-metrics.ts';

export interface Metrics extends Omit<RequestCounts, 'families'> {
  consoleTraffic(instance: string): ConsoleTraffic;
  /** Returns the text for a scraper, which is at most a second old, within a second even if a process does not answer. */
  scrape(accept: string | undefined): Promise<Exposition>;
  close(): void;
}

export interface MetricsOptions {
  view: InstanceView;
  stats: () => Promise<Stats>;
  eventStreams: () => number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Scrapers ask every few seconds. However many ask, the text is made once in this time. Milliseconds. */
const FRESH_MS = 1_000;

interface Gathered {
  at: number;
  families: Promise<Family[]>;
  texts: Map<Format, Promise<Exposition>>;
}

/** Counts in this process, and gathers the rest for a scrape. */
export function createMetrics({ view, stats, eventStreams, now }: MetricsOptions): Metrics {
  const meter = createProcessMeter();
  const counts = createRequestCounts();
  const traffics = createConsoleTraffics();
  let latest: Gathered | undefined;
  view.onChange(({ id, after }) => after ?? traffics.forget(id));

  const labelsOf = (instance: string) => {
    const record = view.find(instance);
    return record && instanceLabels(record);
  };

  async function gather(): Promise<Family[]> {
    const known = await stats();
    const at = now();
    const restarts = known.daemon.stats?.restarts;
    const answered = Array.from(known.supervisors).flatMap(([instance, answer]) => {
      const labels = labelsOf(instance);
      return answer.stats && labels ? [{ labels, stats: answer.stats }] : [];
    });
    const processes: ObservedProcess[] = [
      { process: 'gateway', up: true, stats: meter.read(), restarts: restarts?.gateway },
      { process: 'daemon', up: known.daemon.up, stats: known.daemon.stats?.process },
      ...(known.jobs
        ? [
            {
              process: 'jobs' as const,
              up: known.jobs.up,
              stats: known.jobs.stats?.process,
              restarts: restarts?.jobs,
            },
          ]
        : []),
      ...Array.from(known.supervisors, ([instance, answer]) => ({
        process: 'supervisor' as const,
        instance,
        up: answer.up,
        stats: answer.stats?.process,
        restarts: restarts && (restarts.supervisors.find(({ instanceId }) => instanceId === instance)?.count ?? 0),
      })),
    ];
    return [
      buildInfo(),
      ...processMetrics(processes),
      ...instanceMetrics([...view.all()], readClocks(now)),
      ...supervisorMetrics(answered),
      ...traffics.families((instance) => labelsOf(instance) ?? { instance }),
      ...jobMetrics({ stats: known.jobs?.stats, labels: labelsOf, now: at }),
      {
        name: 'gamekeeper_event_streams',
        help: 'Open event streams.',
        type: 'gauge',
        samples: [{ labels: {}, value: eventStreams() }],
      },
      ...counts.families(),
    ];
  }

  function current(): Gathered {
    const at = now();
    // Younger than nothing: the clock was set back.
    const age = at - (latest?.at ?? Number.NEGATIVE_INFINITY);
    if (latest && age >= 0 && age < FRESH_MS) return latest;
    const gathered: Gathered = { at, families: gather(), texts: new Map() };
    gathered.families.catch(() => {
      if (latest === gathered) latest = undefined;
    });
    latest = gathered;
    return gathered;
  }

  return {
    requests: counts.requests,
    observeRequest: counts.observeRequest,
    consoleTraffic: traffics.of,
    scrape(accept) {
      const format = formatFor(accept);
      const { families, texts } = current();
      const text = texts.get(format) ?? families.then((all) => textOf(all, format));
      texts.set(format, text);
      return text;
    },
    close: meter.stop,
  };
}

/** Loads prom-client for the first scraper, which most gateways never have. */
async function textOf(families: readonly Family[], format: Format): Promise<Exposition> {
  const { expose } = await import('./exposition.ts');
  return expose(families, format);
}

function buildInfo(): Family {
  return {
    name: 'gamekeeper_build_info',
    help: 'Version of Gamekeeper. The value is always 1.',
    type: 'gauge',
    samples: [{ labels: { version: VERSION }, value: 1 }],
  };
}
