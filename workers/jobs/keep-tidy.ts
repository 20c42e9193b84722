import type { Logger } from '../../shared/node/logger.ts';

const TIDY_EVERY_MS = 3_600_000;

/** Tidies `what` now and every hour until `signal` fires. Never throws. */
export async function keepTidy(
  what: string,
  tidy: (signal: AbortSignal) => Promise<void>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const once = () =>
    tidy(signal).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, `${what} could not be tidied`);
    });
  const timer = setInterval(once, TIDY_EVERY_MS);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  await once();
}
