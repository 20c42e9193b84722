import { REPORT_EVERY_MS, type TelemetryMessage } from '../../../shared/node/link/telemetry.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { TelemetrySource } from './gather.ts';

/** Changes come in groups: a start has several. */
const AFTER_CHANGE_MS = 2_000;
/** Less often than a proxy accepts. */
const AT_MOST_EVERY_MS = 15_000;
/** Spreads the reports of many daemons. */
const JITTER = 0.1;

export interface ReportsOptions {
  source: TelemetrySource;
  send: (message: TelemetryMessage) => void;
  log: Logger;
  /** For tests. Milliseconds. */
  atMostEveryMs?: number;
}

/** Reports at once, after each change, and at least every five minutes. Returns how to stop. */
export function startReports({ source, send, log, atMostEveryMs = AT_MOST_EVERY_MS }: ReportsOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function reportIn(ms: number): void {
    const at = performance.now() + ms;
    if (stopped || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => void report(), ms);
  }

  async function report(): Promise<void> {
    dueAt = Number.POSITIVE_INFINITY;
    lastAt = performance.now();
    try {
      const message = await source.read();
      if (!stopped) send(message);
    } catch (error) {
      log.warn({ err: error }, 'the state could not be reported to the proxy');
    }
    reportIn(REPORT_EVERY_MS * (1 - JITTER * Math.random()));
  }

  const stopWatching = source.onChange(() =>
    reportIn(Math.max(Math.min(AFTER_CHANGE_MS, atMostEveryMs), lastAt + atMostEveryMs - performance.now())),
  );
  reportIn(0);
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopWatching();
  };
}
