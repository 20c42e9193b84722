import { GamekeeperError, isGamekeeperError, toCodedFailure } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { JobsMark } from '../../resources/jobs-mark.ts';
import { type BackupStorage, withStore } from '../backup-storage.ts';
import type { ReplicaRow } from './replicas.ts';
import { needsEncrypted, replicate } from './replicate.ts';
import { isDue, nextLook, nextTransfer, UNCONFIGURED } from './replication-plan.ts';
import { type Lane, StoreLanes } from './store-lanes.ts';

/** Wait before the next look if the settings could not be read: the daemon is about to return, or this process about to end. Milliseconds. */
const LOOK_AGAIN_MS = 5_000;

export interface ReplicationOptions {
  storage: BackupStorage;
  queue: JobQueue;
  /** Set while copies are due, so the next daemon starts this process. */
  mark: JobsMark;
  log: Logger;
  now(): Date;
  /** Returns a number from 0 to 1, for back-off. */
  jitter(): number;
}

/**
 * Makes and removes copies as `Replicas` says: one at a time in each store, the stores independent of each other. A failure is retried
 * with doubling pauses, without end; an attempt that the end of this process interrupts is resumed at the next start. Each copy is a job,
 * so it can be watched and cancelled.
 */
export class Replication {
  readonly #options: ReplicationOptions;
  readonly #lanes: StoreLanes;
  readonly #ending = new AbortController();
  readonly #atWork = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #lookAgain = false;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.#lanes = new StoreLanes(options.jitter);
  }

  /** Starts what is due, now and whenever something becomes due. Returns at once. */
  wake(): void {
    if (this.#ending.signal.aborted) return;
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    void this.#lookUntilQuiet();
  }

  /** Makes everything in these stores due at once, because a user requested it or the stores are known to work again. */
  hurry(stores: readonly string[]): void {
    for (const store of stores) {
      this.#lanes.release(store);
      this.#makeDue(store);
    }
    this.wake();
  }

  /** Starts nothing more, and resolves when removals have ended. Copies end with the job queue. */
  async close(): Promise<void> {
    this.#ending.abort(new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.'));
    clearTimeout(this.#timer);
    await Promise.all(this.#atWork);
  }

  #now(): number {
    return this.#options.now().getTime();
  }

  async #lookUntilQuiet(): Promise<void> {
    let next: number | undefined;
    while (this.#lookAgain && !this.#ending.signal.aborted) {
      this.#lookAgain = false;
      next = await this.#look().catch((error: unknown) => {
        this.#options.log.debug({ err: error }, 'cannot look for copies to make');
        return this.#now() + LOOK_AGAIN_MS;
      });
    }
    this.#looking = false;
    clearTimeout(this.#timer);
    if (next === undefined || this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => this.wake(), Math.max(0, next - this.#now())).unref();
  }

  /** Starts what can be started. Returns when something will be due. */
  async #look(): Promise<number | undefined> {
    const { storage, mark } = this.#options;
    const { stores = [] } = await storage.settings();
    // A restart or changed settings may have fixed what made attempts fail: no reason to wait.
    for (const store of stores) if (this.#lanes.configure(store)) this.#makeDue(store.name);
    this.#followConfiguration(new Set(stores.map(({ name }) => name)));
    const rows = storage.replicas.unsettled();
    const times = stores.flatMap((store) => {
      const lane = this.#lanes.get(store.name);
      if (!lane || lane.busy) return [];
      const own = rows.filter((row) => row.store === store.name);
      const row = isDue(lane.notBefore, this.#now()) ? nextTransfer(own, this.#now()) : undefined;
      if (row) this.#start(row, store, lane);
      return row ? [] : (nextLook(own, lane.notBefore) ?? []);
    });
    await mark.set(rows.some(({ nextAttemptAt }) => nextAttemptAt !== null));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #makeDue(store: string): void {
    const { replicas } = this.#options.storage;
    for (const row of replicas.unsettled())
      if (row.store === store && row.nextAttemptAt !== null) replicas.update(row, { nextAttemptAt: 0 });
  }

  /** Copies for a store that is no longer configured wait until it is configured again. */
  #followConfiguration(stores: ReadonlySet<string>): void {
    const { replicas } = this.#options.storage;
    this.#lanes.keepOnly(stores);
    for (const row of replicas.unsettled()) {
      const isWaiting = row.error === UNCONFIGURED;
      if (isWaiting && stores.has(row.store)) replicas.update(row, { error: null, nextAttemptAt: 0 });
      if (!isWaiting && !stores.has(row.store))
        replicas.update(row, {
          error: UNCONFIGURED,
          nextAttemptAt: null,
          ...(row.state !== 'removing' && { state: 'failed' }),
        });
    }
  }

  #start(row: ReplicaRow, store: StoreSettings, lane: Lane): void {
    lane.busy = true;
    const work = (row.state === 'removing' ? this.#removeCopy(row, store) : this.#makeCopy(row, store))
      .catch((error: unknown) => this.#options.log.error({ err: error, store: store.name }, 'replication failed'))
      .finally(() => {
        this.#atWork.delete(work);
        lane.busy = false;
        this.wake();
      });
    this.#atWork.add(work);
  }

  async #makeCopy(row: ReplicaRow, store: StoreSettings): Promise<void> {
    const { storage, queue } = this.#options;
    const { instanceId, backupId } = row;
    const work = async (run: JobRun) => {
      try {
        await replicate({ row, store }, run, storage);
        this.#succeeded(store.name);
      } catch (error) {
        this.#noteFailure(row, error, run);
        throw error;
      }
    };
    const { jobId } = queue.add({
      kind: 'replicate',
      instanceId,
      backupId,
      store: store.name,
      queued: false,
      work,
    });
    // A failure is recorded by `work`.
    await queue.wait(jobId, this.#ending.signal).catch(() => undefined);
    if (!this.#ending.signal.aborted) await this.#releaseEncrypted(row);
  }

  /** Removes the encrypted file once no copy needs it. A backup that was deleted meanwhile has removed its own. */
  async #releaseEncrypted({ instanceId, backupId }: ReplicaRow): Promise<void> {
    const { storage, queue } = this.#options;
    const entry = storage.catalogue.list(instanceId).find((one) => one.backupId === backupId);
    const isUnderWay = queue.active(instanceId).some((job) => job.kind === 'replicate' && job.backupId === backupId);
    if (entry && !isUnderWay && !needsEncrypted(entry, storage.replicas))
      await storage.encrypted.release(storage.files.pathOf(entry));
  }

  #noteFailure(row: ReplicaRow, error: unknown, { signal }: JobRun): void {
    const { replicas } = this.#options.storage;
    const reason: unknown = signal.reason;
    if (isGamekeeperError(reason, 'shutting_down')) return;
    if (signal.aborted) {
      replicas.update(row, { state: 'failed', error: 'It was cancelled.', nextAttemptAt: null });
      return;
    }
    const nextAttemptAt = this.#now() + this.#lanes.failed(row, error, this.#now());
    replicas.update(row, { state: 'failed', error: toCodedFailure(error).detail, nextAttemptAt });
  }

  async #removeCopy(row: ReplicaRow, store: StoreSettings): Promise<void> {
    const { storage, log } = this.#options;
    const where = { instance: row.instanceId, backup: row.backupId, store: row.store };
    try {
      await withStore(storage, store, async (opened) => {
        if (row.object) await opened.remove(row.object.key, this.#ending.signal);
      });
      storage.replicas.remove(row);
      this.#succeeded(store.name);
      log.info(where, 'removed a copy of a deleted backup');
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      storage.replicas.update(row, {
        attempts: row.attempts + 1,
        nextAttemptAt: this.#now() + this.#lanes.failed(row, error, this.#now()),
        error: toCodedFailure(error).detail,
      });
      log.warn({ err: error, ...where }, 'could not remove a copy of a deleted backup yet');
    }
  }

  #succeeded(store: string): void {
    // After a failure the store is back: what failed with it is due again.
    if (this.#lanes.succeeded(store)) this.#makeDue(store);
  }
}
