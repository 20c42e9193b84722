import type { InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import { isToRun } from '../../shared/domain/instance/runtime.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { InstanceTable } from '../store/instances.ts';

/** What the next daemon needs to know about each server: whether it ran, whether it crashed, and its last crash. */
export interface RunHistory {
  /** Whether the game ran, or waited for a restart after a crash, when it was last observed. */
  ran(id: string): boolean;
  /** Records that the game does not run. */
  forgetRan(id: string): void;
  /** Freezes `ran`. */
  freezeRan(): void;
  /** Saves the differences between two records of an instance. Logs a failure. */
  save(before: InstanceRecord, after: Pick<InstanceRecord, 'runtime' | 'socket'>): void;
  forget(id: string): void;
}

export function createRunHistory(table: InstanceTable, log: Logger): RunHistory {
  const running = new Set(table.all().flatMap(({ config, ran }) => (ran ? [config.id] : [])));
  let isFrozen = false;

  /**
   * Most likely the disk is full. Then the next daemon may start the server although it was stopped, or not start it, or show an older
   * state.
   */
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
    forgetRan: (id) => saveRan(id, false),
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
      if (crash?.at !== before.crash?.at)
        attempt(id, 'the last crash could not be saved', () => table.saveCrash(id, crash));
    },
    forget: (id) => void running.delete(id),
  };
}
