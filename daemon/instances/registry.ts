import type { InstanceEvent, InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import { isLive, isUp } from '../../shared/domain/instance/phase.ts';
import type { InstanceRuntime, LastCrash } from '../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { createBroadcast } from '../../shared/node/primitives/broadcast.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { InstanceTable } from '../store/instances.ts';
import { createRunHistory } from './run-history.ts';

/** The instances: their configuration, which is on disk, and their observed state, which is in memory except for the last crash. */
export interface Registry {
  all(): InstanceRecord[];
  /** Throws `instance_not_found`. */
  get(id: string): InstanceRecord;
  has(id: string): boolean;
  /** Yields all instances, then each change. */
  watch(signal: AbortSignal): AsyncIterable<InstanceEvent>;
  /** Adds an instance or replaces its configuration. It is on disk when this returns. */
  save(config: InstanceConfig): void;
  remove(id: string): void;
  /** Records that a supervisor serves the instance at `socket`. */
  attach(id: string, socket: string): void;
  /** Stores the state that the supervisor reported. */
  observe(id: string, runtime: InstanceRuntime): void;
  /** Shows a problem between this daemon and the supervisor; `undefined`: none. */
  mark(id: string, degraded: 'unresponsive' | 'incompatible' | undefined): void;
  /** Returns whether the game ran, or waited for a restart after a crash, when it was last observed. */
  ran(id: string): boolean;
  /** Records that the server should not be resumed: it was stopped or put to sleep, although nobody observed it. */
  forgetRan(id: string): void;
  /** Freezes `ran`: servers that stop from now on do so because the daemon shuts down. */
  freezeRan(): void;
  /**
   * Records that the supervisor is gone. `crash` is set if a game was running. It is withdrawn if the next supervisor finds that the game
   * still runs.
   */
  detach(id: string, crash?: LastCrash): void;
}

export function createRegistry(table: InstanceTable, log: Logger): Registry {
  const records = new Map<string, InstanceRecord>();
  const events = createBroadcast<InstanceEvent>();
  const history = createRunHistory(table, log);
  /** The observed states without marks. */
  const observed = new Map<string, InstanceRuntime>();
  /** Of servers whose supervisor is lost: the last crash before that. */
  const beforeLoss = new Map<string, LastCrash | undefined>();
  /** Of servers whose last start has failed: the last crash before that. */
  const beforeFailure = new Map<string, LastCrash | undefined>();
  for (const { config, lastCrash, crashed } of table.all())
    records.set(config.id, { config, runtime: atRest(crashed ? 'crashed' : 'stopped', lastCrash), socket: null });

  function get(id: string): InstanceRecord {
    const record = records.get(id);
    if (!record) throw new GamekeeperError('instance_not_found', `There is no instance "${id}".`);
    return record;
  }

  function set(record: InstanceRecord): void {
    records.set(record.config.id, record);
    events.publish({ type: 'changed', instance: record });
  }

  /**
   * Returns the crash to show with a runtime that has none. A game that lives without a crash has survived its supervisor, or has started
   * after a failed start.
   */
  function formerCrash({ config: { id }, runtime }: InstanceRecord, { phase }: InstanceRuntime): LastCrash | undefined {
    if (!isLive(phase)) return runtime.crash;
    const crash = beforeLoss.has(id) ? beforeLoss.get(id) : runtime.crash;
    return crash?.failedStart ? beforeFailure.get(id) : crash;
  }

  function setRuntime(id: string, change: Pick<InstanceRecord, 'runtime' | 'socket'>): void {
    const record = records.get(id);
    if (!record) return; // deleted while its supervisor was ending
    const crash = change.runtime.crash ?? formerCrash(record, change.runtime);
    if (isLive(change.runtime.phase)) beforeLoss.delete(id);
    if (crash?.failedStart && !record.runtime.crash?.failedStart) beforeFailure.set(id, record.runtime.crash);
    const runtime = { ...change.runtime, ...(crash && { crash }) };
    history.save(record, { runtime, socket: change.socket });
    observed.set(id, runtime);
    set({ ...record, ...change, runtime });
  }

  return {
    all: () => [...records.values()],
    get,
    has: (id) => records.has(id),
    async *watch(signal) {
      const changes = events.subscribe(signal);
      yield { type: 'snapshot', instances: [...records.values()] };
      yield* changes;
    },
    save(config) {
      table.save(config);
      const { runtime, socket } = records.get(config.id) ?? { runtime: atRest('stopped'), socket: null };
      set({ config, runtime, socket });
    },
    remove(id) {
      table.remove(id);
      history.forget(id);
      observed.delete(id);
      beforeLoss.delete(id);
      beforeFailure.delete(id);
      if (records.delete(id)) events.publish({ type: 'removed', id });
    },
    attach(id, socket) {
      // The state is not observed yet, so it must not be saved.
      const record = records.get(id);
      if (record) set({ ...record, socket });
    },
    mark(id, degraded) {
      const record = records.get(id);
      if (!record) return;
      const runtime = observed.get(id) ?? record.runtime;
      set({ ...record, runtime: degraded ? { ...runtime, degraded } : runtime });
    },
    ran: history.ran,
    forgetRan: history.forgetRan,
    freezeRan: history.freezeRan,
    observe: (id, runtime) => setRuntime(id, { runtime, socket: records.get(id)?.socket ?? null }),
    detach(id, crash) {
      const { phase: last = 'stopped', crash: former } = records.get(id)?.runtime ?? {};
      if (!crash) beforeLoss.delete(id);
      else if (!beforeLoss.has(id)) beforeLoss.set(id, former);
      const phase = crash || last === 'crashed' ? 'crashed' : isUp(last) ? 'stopped' : last;
      setRuntime(id, { runtime: atRest(phase, crash), socket: null });
    },
  };
}

function atRest(phase: InstanceRuntime['phase'], crash?: LastCrash): InstanceRuntime {
  return { phase, ...(crash && { crash }) };
}
