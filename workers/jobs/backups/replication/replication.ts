import { type BackOff, backOffDelay } from '../../../../shared/domain/back-off.ts';
import { GamekeeperError, toCodedFailure } from '../../../../shared/errors/gamekeeper-error.ts';
import type { StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { JobsMark } from '../../resources/jobs-mark.ts';
import type { BackupParts } from '../backup-parts.ts';
import type { ReplicaRow } from './replicas.ts';
import { needsEncrypted, type ReplicateParts, replicate } from './replicate.ts';
import { isDue, LONGEST_PAUSE_MS, nextLook, nextTransfer } from './replication-plan.ts';
import { withStore } from './with-store.ts';

/** A disk that is plugged in again should not wait long; one that is away for weeks should not be asked all the time. */
const BACK_OFF: BackOff = { firstMs: 30_000, maxMs: LONGEST_PAUSE_MS };
/** The settings could not be asked for: the daemon is about to be back, or this process about to end. Milliseconds. */
const LOOK_AGAIN_MS = 5_000;

const UNCONFIGURED = 'The store is not in the settings any more.';

export interface ReplicationParts extends ReplicateParts, Pick<BackupParts, 'log'> {
  queue: JobQueue;
  mark: JobsMark;
  /** From 0 to 1, for back-off. */
  jitter(): number;
}

/**
 * Carries out what `Replicas` says is to be done: copies and removals, one at a time in each store, the stores independent of each
 * other. What fails is tried again with doubling pauses for as long as it takes; what is cut off by the end of this process, at the next
 * start. Each copy is a job, so that it is seen and can be cancelled.
 */
export interface Replication {
  /** Looks whether something is to be done, now and whenever it will be. Returns at once. */
  wake(): void;
  /** Somebody asks, or knows that these stores work: nothing waits for its next attempt there any more. */
  hurry(stores: readonly string[]): void;
  /** Starts nothing more, and resolves when removals have ended. Copies end with the queue of jobs. */
  close(): Promise<void>;
}

/** What goes on with one store. */
interface Lane {
  busy: boolean;
  /** Times in a row that the store itself did not work. */
  failures: number;
  /** Until then it is left alone, milliseconds since the epoch. */
  notBefore: number;
  /** As it was configured then. */
  settings: string;
}

export function startReplication(parts: ReplicationParts): Replication {
  const { replicas, queue, log } = parts;
  const lanes = new Map<string, Lane>();
  const ending = new AbortController();
  const atWork = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let again = false;

  const now = () => parts.now().getTime();

  function wake(): void {
    if (ending.signal.aborted) return;
    again = true;
    if (looking) return;
    looking = true;
    void lookUntilQuiet();
  }

  async function lookUntilQuiet(): Promise<void> {
    let next: number | undefined;
    while (again && !ending.signal.aborted) {
      again = false;
      next = await look().catch((error: unknown) => {
        log.debug({ err: error }, 'cannot look for copies to make');
        return now() + LOOK_AGAIN_MS;
      });
    }
    looking = false;
    clearTimeout(timer);
    if (next === undefined || ending.signal.aborted) return;
    timer = setTimeout(wake, Math.max(0, next - now())).unref();
  }

  /** Starts what can be started. Resolves to when something will be due. */
  async function look(): Promise<number | undefined> {
    const { stores = [] } = (await parts.settings()).backups;
    for (const store of stores) followSettings(store);
    followConfiguration(new Set(stores.map(({ name }) => name)));
    const rows = replicas.unsettled();
    const times = stores.flatMap((store) => {
      const lane = lanes.get(store.name);
      if (!lane || lane.busy) return [];
      const own = rows.filter((row) => row.store === store.name);
      const row = isDue(lane.notBefore, now()) ? nextTransfer(own, now()) : undefined;
      if (row) carryOut(row, store, lane);
      return row ? [] : (nextLook(own, lane.notBefore) ?? []);
    });
    await parts.mark.set(rows.some(({ nextAttemptAt }) => nextAttemptAt !== null));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** A restart, or changed settings, may have mended what made attempts fail: nobody wants to wait for the next one then. */
  function followSettings(store: StoreSettings): void {
    const settings = JSON.stringify(store);
    const lane = lanes.get(store.name) ?? { busy: false, failures: 0, notBefore: 0, settings: '' };
    lanes.set(store.name, lane);
    if (lane.settings === settings) return;
    Object.assign(lane, { failures: 0, notBefore: 0, settings });
    makeDue(store.name);
  }

  function makeDue(store: string): void {
    for (const row of replicas.unsettled())
      if (row.store === store && row.nextAttemptAt !== null) replicas.update(row, { nextAttemptAt: 0 });
  }

  /** Copies for a store that is no longer configured wait until it is again. */
  function followConfiguration(stores: ReadonlySet<string>): void {
    for (const [name, { busy }] of lanes) if (!busy && !stores.has(name)) lanes.delete(name);
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

  function carryOut(row: ReplicaRow, store: StoreSettings, lane: Lane): void {
    lane.busy = true;
    const work = (row.state === 'removing' ? takeAway(row, store) : copy(row, store))
      .catch((error: unknown) => log.error({ err: error, store: store.name }, 'the queue of copies stumbled'))
      .finally(() => {
        atWork.delete(work);
        lane.busy = false;
        wake();
      });
    atWork.add(work);
  }

  async function copy(row: ReplicaRow, store: StoreSettings): Promise<void> {
    const { instanceId, backupId } = row;
    const { jobId } = queue.add({
      kind: 'replicate',
      instanceId,
      backupId,
      store: store.name,
      queued: false,
      async work(run) {
        try {
          await replicate({ row, store }, run, parts);
          succeeded(store.name);
        } catch (error) {
          noteFailure(row, error, run);
          throw error;
        }
      },
    });
    // What made it fail is on record by then.
    await queue.wait(jobId, ending.signal).catch(() => undefined);
    if (!ending.signal.aborted) await releaseEncrypted(row);
  }

  /** A backup that is gone by now has taken its encrypted file with it. */
  async function releaseEncrypted({ instanceId, backupId }: ReplicaRow): Promise<void> {
    const entry = parts.catalogue.list(instanceId).find((one) => one.backupId === backupId);
    const isUnderWay = queue.active(instanceId).some((job) => job.kind === 'replicate' && job.backupId === backupId);
    if (entry && !isUnderWay && !needsEncrypted(entry, parts)) await parts.encrypted.release(parts.files.pathOf(entry));
  }

  function noteFailure(row: ReplicaRow, error: unknown, { signal }: JobRun): void {
    const reason: unknown = signal.reason;
    if (reason instanceof GamekeeperError && reason.code === 'shutting_down') return;
    if (signal.aborted) replicas.update(row, { state: 'failed', error: 'It was cancelled.', nextAttemptAt: null });
    else
      replicas.update(row, {
        state: 'failed',
        error: toCodedFailure(error).detail,
        nextAttemptAt: now() + pause(row, error),
      });
  }

  async function takeAway(row: ReplicaRow, store: StoreSettings): Promise<void> {
    const where = { instance: row.instanceId, backup: row.backupId, store: row.store };
    try {
      await withStore(store, parts, async (opened) => {
        if (row.object) await opened.remove(row.object.key, ending.signal);
      });
      replicas.remove(row);
      succeeded(store.name);
      log.info(where, 'a copy of a deleted backup was removed');
    } catch (error) {
      if (ending.signal.aborted) return;
      replicas.update(row, {
        attempts: row.attempts + 1,
        nextAttemptAt: now() + pause(row, error),
        error: toCodedFailure(error).detail,
      });
      log.warn({ err: error, ...where }, 'a copy of a deleted backup could not be removed yet');
    }
  }

  function succeeded(store: string): void {
    const lane = lanes.get(store);
    if (!lane || lane.failures === 0) return;
    lane.failures = 0;
    // It is back: what failed with it gets its turn.
    makeDue(store);
  }

  /** How long to wait before the next attempt. Where it is the store that does not work, nothing else is tried there meanwhile. */
  function pause(row: ReplicaRow, error: unknown): number {
    const lane = lanes.get(row.store);
    if (!lane || !(error instanceof GamekeeperError && error.code.startsWith('store_')))
      return backOffDelay(BACK_OFF, row.attempts + 1, parts.jitter());
    lane.failures++;
    const delay = backOffDelay(BACK_OFF, lane.failures, parts.jitter());
    lane.notBefore = now() + delay;
    return delay;
  }

  return {
    wake,
    hurry(stores) {
      for (const store of stores) {
        const lane = lanes.get(store);
        if (lane) lane.notBefore = 0;
        makeDue(store);
      }
      wake();
    },
    async close() {
      ending.abort(new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.'));
      clearTimeout(timer);
      await Promise.all(atWork);
    },
  };
}
