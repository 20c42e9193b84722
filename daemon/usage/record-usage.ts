import type { InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { Registry } from '../instances/registry.ts';
import { runtimeEvents } from './runtime-events.ts';
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

/** Records the resource usage of running servers, and their starts and ends. Returns a function that stops recording and saves the rest. */
export function recordUsage({ registry, history, log, now }: UsageRecording): () => Promise<void> {
  const ending = new AbortController();
  /** The last observation of each server. */
  const observed = new Map<string, InstanceRuntime>();
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
      if (event.type === 'snapshot') event.instances.forEach(observe);
      if (event.type === 'changed') observe(event.instance);
      if (event.type === 'removed') forget(event.id);
    }
  }

  function observe({ config: { id }, runtime }: InstanceRecord): void {
    const events = runtimeEvents(observed.get(id), runtime, now());
    observed.set(id, runtime);
    attempt(id, () => {
      for (const event of events) history.record({ instanceId: id, ...event });
      if (runtime.phase === 'running') history.observe(id, runtime, now());
    });
  }

  function forget(id: string): void {
    observed.delete(id);
    attempt(id, () => history.forget(id));
  }

  /** A database that fails for one server, or for a while, must not end the recording. */
  function attempt(id: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      log.warn({ err: error, instance: id }, 'the history of a server could not be updated');
    }
  }
}
