import { createHistogram, type Histogram, observe } from '../../shared/domain/histogram.ts';
import { type Family, samplesOf } from './family.ts';

/** Seconds: from a cached response to a request that waits for a large backup. */
const DURATION_BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

/** `route` is the pattern, not the path, so that requests for unknown paths create no series. */
export interface RequestKind {
  method: string;
  route: string;
  status: number;
}

/** Counts requests in plain numbers; labels are made on a scrape. */
export interface RequestCounts {
  /** Returns the counter of requests of this kind, for a caller that counts them itself. */
  requests(kind: RequestKind): { count: number };
  observeRequest(kind: RequestKind, seconds: number): void;
  families(): Family[];
}

export function createRequestCounts(): RequestCounts {
  const counts = new Map<string, RequestKind & { count: number }>();
  const durations = new Map<string, Omit<RequestKind, 'status'> & { histogram: Histogram }>();

  function requests({ method, route, status }: RequestKind): { count: number } {
    const key = `${status} ${method} ${route}`;
    const known = counts.get(key);
    if (known) return known;
    const counted = { method, route, status, count: 0 };
    counts.set(key, counted);
    return counted;
  }

  function durationsOf({ method, route }: RequestKind): Histogram {
    const key = `${method} ${route}`;
    const known = durations.get(key);
    if (known) return known.histogram;
    const histogram = createHistogram(DURATION_BOUNDS);
    durations.set(key, { method, route, histogram });
    return histogram;
  }

  return {
    requests,
    observeRequest(kind, seconds) {
      requests(kind).count++;
      observe(durationsOf(kind), seconds);
    },
    families: () => [
      {
        name: 'gamekeeper_http_requests_total',
        help: 'Answered HTTP requests.',
        type: 'counter',
        samples: samplesOf(
          counts.values(),
          ({ method, route, status }) => ({ family: familyOf(route), method, route, status }),
          ({ count }) => count,
        ),
      },
      {
        name: 'gamekeeper_http_request_duration_seconds',
        help: 'Time from the arrival of a request to the end of its answer, without health checks that are answered from memory.',
        type: 'histogram',
        samples: samplesOf(
          durations.values(),
          ({ method, route }) => ({ family: familyOf(route), method, route }),
          ({ histogram }) => histogram,
        ),
      },
    ],
  };
}

/** Returns the path family of a route (docs/api.md, Listeners), `service` for what both listeners serve about themselves. */
function familyOf(route: string): 'daemon' | 'versioned' | 'panel' | 'service' | 'none' {
  if (route === 'unmatched') return 'none';
  if (/^\/(?:openapi\.json|docs|metrics)(?:\/|$)/.test(route)) return 'service';
  if (route.startsWith('/api/v1/')) return 'versioned';
  return /^\/(?:$|\*|api\/|ws\/|ui(?:\/|$))/.test(route) ? 'panel' : 'daemon';
}
