import { randomUUID } from 'node:crypto';
import type { Peer } from '../../../shared/contract/call.ts';
import type { Hold } from '../../../shared/contract/supervisor.ts';
import type { Activity } from '../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

export interface FolderLockOptions {
  /** A lease ends by itself after this time without `renew`, milliseconds. */
  leaseMs: number;
  /** Makes the folder fit to be read or replaced; resolves to whether the world is still. May throw, then there is no hold. */
  settle: (activity: Activity, signal: AbortSignal) => Promise<boolean>;
  /** Whether what was still then can have stayed so. */
  isStill: () => boolean;
  /** Undoes that, and never throws. Runs once for every `settle`, however it went and however the hold ends. */
  unsettle: (activity: Activity) => Promise<void>;
  /** Something about `activity` has changed. */
  onChange: () => void;
}

interface Current {
  activity: Activity;
  leaseId: string;
  /** Aborted when the hold is over. */
  over: AbortController;
  timer: NodeJS.Timeout | undefined;
  /** The one release that there is, once it has begun. */
  released: Promise<void> | undefined;
  /** Settles when `settle` has. */
  settled: Promise<unknown>;
}

/** At most one holder of an instance's folder, by a lease that hangs on the holder's connection. */
export class FolderLock {
  readonly #options: FolderLockOptions;
  #current: Current | undefined;

  constructor(options: FolderLockOptions) {
    this.#options = options;
  }

  get activity(): Activity | undefined {
    return this.#current?.activity;
  }

  /** Throws `backup_in_progress` or `already_in_progress` while the folder is held. */
  assertFree(): void {
    const activity = this.#current?.activity;
    if (activity === 'backing-up') throw new GamekeeperError('backup_in_progress', 'The instance is being backed up.');
    if (activity === 'restoring')
      throw new GamekeeperError('already_in_progress', 'A backup is being restored into the instance.');
    if (activity === 'installing')
      throw new GamekeeperError('already_in_progress', "The instance's mods are being changed.");
  }

  /** Throws what `assertFree` or `settle` throws, and `invalid_state` when the peer went away meanwhile. */
  async take(activity: Activity, peer: Peer): Promise<Hold> {
    this.assertFree();
    const over = new AbortController();
    const settled = this.#options.settle(activity, over.signal);
    const current: Current = { activity, leaseId: randomUUID(), over, timer: undefined, released: undefined, settled };
    this.#current = current;
    this.#options.onChange();
    const forget = peer.onClose(() => void this.#end(current));
    over.signal.addEventListener('abort', forget);
    try {
      const quiesced = await settled;
      if (over.signal.aborted) throw new GamekeeperError('invalid_state', 'The hold ended before it began.');
      this.#arm(current);
      return { leaseId: current.leaseId, quiesced };
    } catch (error) {
      await this.#end(current);
      throw error;
    }
  }

  /**
   * Resolves to whether a world that was still can have stayed so. Throws `invalid_state` when the lease has ended: what its holder does
   * now is no longer protected.
   */
  renew(leaseId: string): boolean {
    if (this.#current?.leaseId !== leaseId || this.#current.released)
      throw new GamekeeperError('invalid_state', 'The lease on the instance has ended.');
    this.#arm(this.#current);
    return this.#options.isStill();
  }

  /** Resolves when the folder is free again. A lease that has ended already is not an error. */
  async release(leaseId: string): Promise<void> {
    if (this.#current?.leaseId === leaseId) await this.#end(this.#current);
  }

  /** Ends the hold, whoever has it. */
  async close(): Promise<void> {
    if (this.#current) await this.#end(this.#current);
  }

  #arm(current: Current): void {
    clearTimeout(current.timer);
    current.timer = setTimeout(() => void this.#end(current), this.#options.leaseMs);
  }

  #end(current: Current): Promise<void> {
    current.released ??= this.#undo(current);
    return current.released;
  }

  async #undo(current: Current): Promise<void> {
    clearTimeout(current.timer);
    current.over.abort();
    await current.settled.catch(() => undefined); // `take` tells
    try {
      await this.#options.unsettle(current.activity);
    } finally {
      this.#current = undefined;
      this.#options.onChange();
    }
  }
}
