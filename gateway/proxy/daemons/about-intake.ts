import { parseAboutDaemon } from '../../../shared/node/link/about-daemon.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';
import type { Daemons } from './directory.ts';

/** Of one daemon. Ours tell when their link opens, and when their owner changes something. */
const ACCEPTED = { requestsPerSecond: 0.1, burst: 6 };

export interface AboutIntakeOptions {
  daemons: Pick<Daemons, 'describe'>;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds. */
  now: () => number;
}

/** Returns what stores the messages of daemons about themselves. Anything but a valid one is dropped; the next link brings it again. */
export function createAboutIntake({ daemons, log, now }: AboutIntakeOptions): (daemonId: string, text: Buffer) => void {
  const rate = createRateLimit(() => ACCEPTED);
  return (daemonId, text) => {
    if (rate.take(daemonId, now()) > 0) return;
    const about = parseAboutDaemon(text);
    if (!about) return;
    daemons
      .describe(daemonId, about)
      .catch((error: unknown) => log.warn({ err: error }, 'what a daemon tells about itself could not be stored'));
  };
}
