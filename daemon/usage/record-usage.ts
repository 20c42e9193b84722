import type { Logger } from '../../shared/node/logger.ts';
import type { Registry } from '../instances/registry.ts';
import type { UsageHistory } from './usage-history.ts';

/** Between two writes of what charts show: seldom enough for a disk that sleeps. Milliseconds. */
const FLUSH_EVERY_MS = 5 * 60_000;

export interface UsageRecording {
  registry: Registry;
  history: UsageHistory;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Follows the registry and keeps what running servers use. The returned function ends it and saves what is left. */
export function recordUsage({ registry, history, log, now }: UsageRecording): () => Promise<void> {
  const ending = new AbortController();
  const flush = () => {
    try {
      history.flush(now());
    } catch (error) {
      // A full disk, most likely. The points stay in memory, and the next time brings them with it.
      log.warn({ err: error }, 'what servers used could not be saved');
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
