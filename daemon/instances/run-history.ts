import type { InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import { isToRun } from '../../shared/domain/runtime.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { InstanceTable } from '../store/instances.ts';

/** What the next daemon should know about each server: whether it ran, whether it crashed, and its last crash. */
export interface RunHistory {
  /** Whether the game ran, or was about to be started again after a crash, when it was last observed. */
  ran(id: string): boolean;
  /** From now on `ran` does not change. */
  freezeRan(): void;
  /** Saves what differs between two records of an instance. A failure is logged. */
  save(before: InstanceRecord, after: Pick<InstanceRecord, 'runtime' | 'socket'>): void;
  forget(id: string): void;
}

export function createRunHistory(table: InstanceTable, log: Logger): RunHistory {
  const running = new Set(table.all().flatMap(({ config, ran }) => (ran ? [config.id] : [])));
  let isFrozen = false;

  /** Most likely the disk is full. The server then starts once too often with the next daemon, or not, or shows an older state. */
  function attempt(id: string, failure: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      log.error({ err: error, instance: id }, failure);
    }
  }

  function saveRan(id: string, ran: boolean): void {
    if (isFrozen || running.has(id) === ran) return;
    if (ran) running.add(id);
    else running.delete(id);
    attempt(id, 'whether a server runs could not be saved', () => table.saveRan(id, ran));
  }

  return {
    ran: (id) => running.has(id),
    freezeRan() {
      isFrozen = true;
    },
    save({ config: { id }, runtime: before }, { runtime, socket }) {
      if (socket !== null || isToRun(before)) saveRan(id, isToRun(runtime));
      if (runtime.phase !== before.phase)
        attempt(id, 'whether a server has crashed could not be saved', () =>
          table.saveCrashed(id, runtime.phase === 'crashed'),
        );
      const { crash } = runtime;
      if (crash && crash.at !== before.crash?.at)
        attempt(id, 'the last crash could not be saved', () => table.saveCrash(id, crash));
    },
    forget: (id) => void running.delete(id),
  };
}
