import { parseTelemetry } from '../../../../shared/node/link/telemetry.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import { createRateLimit } from '../../../../shared/node/rate-limit.ts';
import { toSeconds } from '../../store/database.ts';
import type { Received } from './rows.ts';
import type { TelemetryStore } from './telemetry-store.ts';

/** Of one daemon. Ours report at most every 15 s; another program may send more, which is dropped. */
const ACCEPTED = { requestsPerSecond: 0.1, burst: 10 };
/** Reports are written together. Milliseconds. */
const WRITE_EVERY_MS = 1_000;
/** Characters of `{"type":"telemetry-off"}`, with some space. */
const LONGEST_OFF = 64;

/** Takes what daemons report over their links. */
export interface TelemetryIntake {
  /** A text message of a daemon that has proved itself. Anything but a valid report is dropped. */
  receive(daemonId: string, text: Buffer): void;
  /** Resolves when everything received so far is written. */
  settled(): Promise<void>;
}

export interface IntakeOptions {
  store: TelemetryStore;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds. */
  now: () => number;
}

/** What a daemon has told since the last write. */
interface Told {
  /** Forget earlier reports. */
  off: boolean;
  /** The newest one, after that. */
  report?: Received;
}

export function createIntake({ store, log, now }: IntakeOptions): TelemetryIntake {
  const rate = createRateLimit(() => ACCEPTED);
  let waiting = new Map<string, Told>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = new Map();
    // One after the other, so that a report cannot be written after it was to be forgotten.
    writing = writing.then(() => write(batch));
    return writing;
  }

  async function write(batch: Map<string, Told>): Promise<void> {
    try {
      for (const [daemonId, { off }] of batch) if (off) await store.forget(daemonId);
      const reports = Array.from(batch.values()).flatMap(({ report }) => report ?? []);
      if (reports.length > 0) await store.write(reports);
    } catch (error) {
      log.warn({ err: error }, 'reports of daemons could not be stored');
      // Reports come again; what was to be forgotten must be.
      for (const [daemonId, { off }] of batch) if (off) put(daemonId, { off: true, ...waiting.get(daemonId) });
    }
  }

  function put(daemonId: string, told: Told): void {
    waiting.set(daemonId, told);
    timer ??= setTimeout(() => void flush(), WRITE_EVERY_MS);
  }

  return {
    receive(daemonId, text) {
      // Before it is parsed, and not for "off", which is never too much.
      if (text.length > LONGEST_OFF && rate.take(daemonId, now()) > 0) return;
      const message = parseTelemetry(text);
      if (message?.type === 'telemetry-off') put(daemonId, { off: true });
      if (message?.type !== 'telemetry') return;
      const report = { daemonId, at: toSeconds(now()), report: message };
      put(daemonId, { off: waiting.get(daemonId)?.off ?? false, report });
    },
    settled: flush,
  };
}
