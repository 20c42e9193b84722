import type { InstanceEvent, InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import { INSTANCE_ID_PATTERN } from '../../shared/domain/instance/instance-id.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { quoted } from '../http/quoted.ts';
import type { Daemon } from './clients.ts';
import { follow } from './follow.ts';

export type { InstanceRecord };

export interface InstanceChange {
  id: string;
  before: InstanceRecord | undefined;
  /** `undefined`: removed. */
  after: InstanceRecord | undefined;
}

/** A copy of the daemon's instances, kept up to date by the daemon's events. */
export interface InstanceView {
  readonly ready: Promise<void>;
  all(): Iterable<InstanceRecord>;
  find(id: string): InstanceRecord | undefined;
  /** Returns an instance, and asks the daemon if the view does not have it yet. Throws `instance_not_found`. */
  get(id: string): Promise<InstanceRecord>;
  /** Fetches the instance from the daemon, so that a caller reads back its own change. */
  refresh(id: string): Promise<InstanceRecord>;
  /** Applies what a supervisor itself returned, ahead of the daemon's event. */
  observe(id: string, runtime: InstanceRuntime): void;
  remove(id: string): void;
  onChange(listener: (change: InstanceChange) => void): () => void;
  close(): void;
}

/** `onLost` is called when the daemon is lost. Once it is back, its instances are read again. */
export function watchInstances(daemon: Daemon, onLost: (error: unknown) => void): InstanceView {
  const records = new Map<string, InstanceRecord>();
  const listeners = new Set<(change: InstanceChange) => void>();
  const ready = Promise.withResolvers<void>();

  function put(after: InstanceRecord): InstanceRecord {
    const { id } = after.config;
    const before = records.get(id);
    records.set(id, after);
    for (const listener of listeners) listener({ id, before, after });
    return after;
  }

  function remove(id: string): void {
    const before = records.get(id);
    if (!records.delete(id)) return;
    for (const listener of listeners) listener({ id, before, after: undefined });
  }

  function apply(event: InstanceEvent): void {
    if (event.type === 'changed') put(event.instance);
    if (event.type === 'removed') remove(event.id);
    if (event.type !== 'snapshot') return;
    const known = new Set(event.instances.map((instance) => instance.config.id));
    for (const id of records.keys()) if (!known.has(id)) remove(id);
    for (const instance of event.instances) put(instance);
    ready.resolve();
  }

  const refresh = async (id: string) => put(await daemon.call.instance(id));
  const stop = follow({
    subscribe: (signal) => daemon.call.watchInstances(undefined, { signal }),
    onItem: apply,
    onLost,
  });
  return {
    ready: ready.promise,
    all: () => records.values(),
    find: (id) => records.get(id),
    async get(id) {
      const known = records.get(id);
      if (known) return known;
      if (!INSTANCE_ID_PATTERN.test(id)) throw notFound(id);
      return refresh(id);
    },
    refresh,
    observe(id, runtime) {
      const record = records.get(id);
      if (record) put({ ...record, runtime });
    },
    remove,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}

function notFound(id: string): GamekeeperError {
  return new GamekeeperError('instance_not_found', `There is no instance ${quoted(id)}.`);
}
