import type { Logger } from '../../shared/node/logger.ts';
import type { Registry } from '../instances/registry.ts';
import type { UsageHistory } from './usage-history.ts';

/** Rare enough to let a disk sleep. Milliseconds. */
const FLUSH_EVERY_MS = 5 * 60_000;

export interface UsageRecording {
  registry: Registry;
  history: UsageHistory;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Records the resource usage of running servers. Returns a function that stops recording and saves the rest. */
export function recordUsage({ registry, history, log, now }: UsageRecording): () => Promise<void> {
  const ending = new AbortController();
  const flush = () => {
    try {
      history.flush(now());
    } catch (error) {
      // Most likely the disk is full. The points stay in memory until the next attempt.
      log.warn({ err: error }, 'the resource usage of servers could not be saved');
    }
  };
  const timer = setInterval(flush, FLUSH_EVERY_MS).unref();
  const following = follow();
  return async () => {
    clearInterval(timer);
    ending.abort();
    await following;
    flush();
  };

  async function follow(): Promise<void> {
    for await (const event of registry.watch(ending.signal)) {
      if (event.type === 'removed') history.forget(event.id);
      if (event.type !== 'changed') continue;
      const { config, runtime } = event.instance;
      if (runtime.phase === 'running') history.observe(config.id, runtime, now());
    }
  }
}
