import type { InstanceEvent, InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import { isUp } from '../../shared/domain/phase.ts';
import { type InstanceRuntime, isToRun, type LastCrash } from '../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { createBroadcast } from '../../shared/node/primitives/broadcast.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { InstanceTable } from '../store/instances.ts';

/** The instances: what their owners want (on disk) and what is observed of them (in memory, but for the last crash). */
export interface Registry {
  all(): InstanceRecord[];
  /** Throws `instance_not_found`. */
  get(id: string): InstanceRecord;
  has(id: string): boolean;
  /** All of them first, then each change. */
  watch(signal: AbortSignal): AsyncIterable<InstanceEvent>;
  /** Adds an instance, or replaces its configuration. On disk when this returns. */
  save(config: InstanceConfig): void;
  remove(id: string): void;
  /** A supervisor serves the instance at `socket`. */
  attach(id: string, socket: string): void;
  /** What the supervisor observes. */
  observe(id: string, runtime: InstanceRuntime): void;
  /** What is amiss with how the instance is looked after, as seen from here; `undefined`: nothing. */
  mark(id: string, degraded: 'unresponsive' | 'incompatible' | undefined): void;
  /** Whether the game ran, or was to be started again after a crash, when a daemon last looked, or this one was told to look away. */
  ran(id: string): boolean;
  /** From now on `ran` does not change: servers that stop do so because the daemon shuts down. */
  freezeRan(): void;
  /** The supervisor is gone. `crash` says why, where a game was running. */
  detach(id: string, crash?: LastCrash): void;
}

export function createRegistry(table: InstanceTable, log: Logger): Registry {
  const records = new Map<string, InstanceRecord>();
  const events = createBroadcast<InstanceEvent>();
  const running = new Set<string>();
  /** Without what is marked. */
  const observed = new Map<string, InstanceRuntime>();
  let isRanSaved = true;
  for (const { config, lastCrash, ran, crashed } of table.all()) {
    records.set(config.id, { config, runtime: atRest(crashed ? 'crashed' : 'stopped', lastCrash), socket: null });
    if (ran) running.add(config.id);
  }

  function get(id: string): InstanceRecord {
    const record = records.get(id);
    if (!record) throw new GamekeeperError('instance_not_found', `There is no instance "${id}".`);
    return record;
  }

  function set(record: InstanceRecord): void {
    records.set(record.config.id, record);
    events.publish({ type: 'changed', instance: record });
  }

  function setRuntime(id: string, change: Pick<InstanceRecord, 'runtime' | 'socket'>): void {
    const record = records.get(id);
    if (!record) return; // Deleted while its supervisor was ending.
    if (change.socket !== null || isToRun(record.runtime)) saveRan(id, isToRun(change.runtime));
    if (change.runtime.phase !== record.runtime.phase) saveCrashed(id, change.runtime.phase === 'crashed');
    const known = record.runtime.crash;
    const crash = change.runtime.crash ?? known;
    if (crash && crash.at !== known?.at) saveCrash(id, crash);
    const runtime = { ...change.runtime, ...(crash && { crash }) };
    observed.set(id, runtime);
    set({ ...record, ...change, runtime });
  }

  function saveRan(id: string, ran: boolean): void {
    if (!isRanSaved || running.has(id) === ran) return;
    if (ran) running.add(id);
    else running.delete(id);
    try {
      table.saveRan(id, ran);
    } catch (error) {
      // A full disk, most likely. The server is not started again by itself, or is once too often.
      log.error({ err: error, instance: id }, 'whether a server runs could not be saved');
    }
  }

  function saveCrashed(id: string, crashed: boolean): void {
    try {
      table.saveCrashed(id, crashed);
    } catch (error) {
      // A full disk, most likely. The next daemon shows it as stopped, with its last crash beside it.
      log.error({ err: error, instance: id }, 'whether a server has crashed could not be saved');
    }
  }

  function saveCrash(id: string, crash: LastCrash): void {
    try {
      table.saveCrash(id, crash);
    } catch (error) {
      // A full disk, most likely. What is observed goes on being shown.
      log.error({ err: error, instance: id }, 'the last crash could not be saved');
    }
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
      running.delete(id);
      observed.delete(id);
      if (records.delete(id)) events.publish({ type: 'removed', id });
    },
    attach(id, socket) {
      // Nobody has looked yet: that is not to be taken for news.
      const record = records.get(id);
      if (record) set({ ...record, socket });
    },
    mark(id, degraded) {
      const record = records.get(id);
      if (!record) return;
      const runtime = observed.get(id) ?? record.runtime;
      set({ ...record, runtime: degraded ? { ...runtime, degraded } : runtime });
    },
    ran: (id) => running.has(id),
    freezeRan() {
      isRanSaved = false;
    },
    observe: (id, runtime) => setRuntime(id, { runtime, socket: records.get(id)?.socket ?? null }),
    detach(id, crash) {
      const last = records.get(id)?.runtime.phase ?? 'stopped';
      const phase = crash || last === 'crashed' ? 'crashed' : isUp(last) ? 'stopped' : last;
      setRuntime(id, { runtime: atRest(phase, crash), socket: null });
    },
  };
}

function atRest(phase: InstanceRuntime['phase'], crash?: LastCrash): InstanceRuntime {
  return { phase, ...(crash && { crash }) };
}
