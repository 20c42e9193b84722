import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Peer } from '../../../shared/contract/call.ts';
import type { FolderLease } from '../../../shared/contract/supervisor.ts';
import type { Activity } from '../../../shared/domain/instance/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

export interface FolderGuard {
  /** Makes the folder safe to read or replace. Resolves to whether the world is on disk and unchanging. If it throws, there is no lock. */
  settle(activity: Activity, signal: AbortSignal): Promise<boolean>;
  /** Returns whether a world that was unchanging then can have stayed so. */
  isStill(): boolean;
  /** Undoes `settle`; never throws. Runs once for every `settle`, no matter how it and the lock ended. */
  unsettle(activity: Activity): Promise<void>;
}

interface Lock {
  activity: Activity;
  guard: FolderGuard;
  leaseId: string;
  over: AbortController;
  timer: NodeJS.Timeout | undefined;
  released: Promise<void> | undefined;
  settled: Promise<unknown>;
}

/** Exclusive use of an instance's folder, by a lease that ends with its holder's connection. Emits `change` when `activity` changes. */
export class FolderLock extends EventEmitter<{ change: [] }> {
  readonly #leaseMs: number;
  #lock: Lock | undefined;

  /** A lease ends after `leaseMs` without `renew`. */
  constructor(leaseMs: number) {
    super();
    this.#leaseMs = leaseMs;
  }

  get activity(): Activity | undefined {
    return this.#lock?.activity;
  }

  get isLocked(): boolean {
    return this.#lock !== undefined;
  }

  /** Throws `backup_in_progress` or `already_in_progress` while the folder is locked. */
  assertFree(): void {
    const { activity } = this;
    if (activity === 'backing-up') throw new GamekeeperError('backup_in_progress', 'The instance is being backed up.');
    if (activity === 'restoring')
      throw new GamekeeperError('already_in_progress', 'A backup is being restored into the instance.');
    if (activity === 'installing')
      throw new GamekeeperError('already_in_progress', "The instance's mods are being changed.");
  }

  /** Throws as `assertFree` and `settle` do, and `invalid_state` if the peer disconnects meanwhile. */
  async take(activity: Activity, peer: Peer, guard: FolderGuard): Promise<FolderLease> {
    this.assertFree();
    const over = new AbortController();
    const settled = guard.settle(activity, over.signal);
    const fresh = { leaseId: randomUUID(), timer: undefined, released: undefined };
    const lock: Lock = { ...fresh, activity, guard, over, settled };
    this.#lock = lock;
    this.emit('change');
    const forget = peer.onClose(() => void this.#end(lock));
    over.signal.addEventListener('abort', forget);
    try {
      const quiesced = await settled;
      if (over.signal.aborted) throw new GamekeeperError('invalid_state', 'The lock ended before it was ready.');
      this.#startLease(lock);
      return { leaseId: lock.leaseId, quiesced };
    } catch (error) {
      await this.#end(lock);
      throw error;
    }
  }

  /** Returns whether a world that was unchanging can have stayed so. Throws `invalid_state` if the lease has ended. */
  renew(leaseId: string): boolean {
    const lock = this.#lock;
    if (lock?.leaseId !== leaseId || lock.released)
      throw new GamekeeperError('invalid_state', 'The lease on the instance has ended.');
    this.#startLease(lock);
    return lock.guard.isStill();
  }

  /** Resolves when the folder is free again. An ended lease is not an error. */
  async release(leaseId: string): Promise<void> {
    if (this.#lock?.leaseId === leaseId) await this.#end(this.#lock);
  }

  async close(): Promise<void> {
    if (this.#lock) await this.#end(this.#lock);
  }

  #startLease(lock: Lock): void {
    clearTimeout(lock.timer);
    lock.timer = setTimeout(() => void this.#end(lock), this.#leaseMs);
  }

  #end(lock: Lock): Promise<void> {
    lock.released ??= this.#undo(lock);
    return lock.released;
  }

  async #undo(lock: Lock): Promise<void> {
    clearTimeout(lock.timer);
    lock.over.abort();
    await lock.settled.catch(() => undefined); // `take` throws it
    try {
      await lock.guard.unsettle(lock.activity);
    } finally {
      this.#lock = undefined;
      this.emit('change');
    }
  }
}
