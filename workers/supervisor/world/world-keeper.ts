import type { Activity } from '../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { GameProcess } from '../game/game-process.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../own-process/process-log.ts';
import { lockWorld, unlockWorld } from './world-lock.ts';
import type { WorldLockMark } from './world-lock-mark.ts';

export interface WorldKeeperOptions {
  config: () => InstanceConfig;
  lifecycle: Lifecycle;
  mark: WorldLockMark;
  notice: (text: string) => void;
  log: Log;
  /** For each command of locking, milliseconds. */
  lockDeadlineMs: number;
}

/** Keeps an instance's world fit to be read while somebody holds its folder, and sees to it that saving is turned on again. */
export class WorldKeeper {
  readonly #options: WorldKeeperOptions;
  /** Settles when what an earlier supervisor may have left locked has been seen to. */
  #inherited: Promise<void> | undefined;
  /** Of the hold that there is: the game whose world was locked, and whether `save-off` was typed into its console. */
  #locked: { game: GameProcess; typed: boolean } | undefined;

  constructor(options: WorldKeeperOptions) {
    this.#options = options;
  }

  /**
   * Turns saving on for a server that has just got ready if the mark of a supervisor that was killed says that it may be off. Once; what
   * this supervisor locks, it unlocks itself.
   */
  inherit(): Promise<void> {
    this.#inherited ??= this.#unlockInherited();
    return this.#inherited;
  }

  /** Resolves to whether the world is on disk and still. Throws `invalid_state` where the folder cannot be had for this. */
  async settle(activity: Activity, signal: AbortSignal): Promise<boolean> {
    return activity === 'backing-up' ? this.#settleForBackup(signal) : this.#settleForChange(activity);
  }

  /** Whether a world that was still when it was settled can have stayed so. A server that stops writes its world. */
  isStill(): boolean {
    if (!this.#locked) return true; // it was at rest, and cannot have been started
    const { lifecycle } = this.#options;
    return lifecycle.phase === 'running' && lifecycle.game === this.#locked.game;
  }

  /** Undoes that; never throws. */
  async unsettle(activity: Activity): Promise<void> {
    if (activity !== 'backing-up') return;
    const { lifecycle, mark, log } = this.#options;
    const typed = this.#locked?.typed ?? false;
    this.#locked = undefined;
    try {
      if (!(await mark.isSet())) return;
      const { game, rules } = lifecycle;
      // Saving is on in every new process.
      if (game && rules) await unlockWorld(game, { save: rules.save, mark, typed });
      else await mark.clear();
    } catch (error) {
      log('error', 'the world may still be locked; the mark stays for the next start', { error });
    }
  }

  async #settleForChange(activity: Exclude<Activity, 'backing-up'>): Promise<boolean> {
    const { lifecycle } = this.#options;
    await lifecycle.exclusively(() => {
      if (lifecycle.isAtRest || lifecycle.phase === 'sleeping') return;
      throw new GamekeeperError(
        'invalid_state',
        `The server is ${lifecycle.phase}; ${activity === 'restoring' ? 'a backup can be restored' : 'its mods can be changed'} only while it is stopped.`,
      );
    });
    return true;
  }

  async #settleForBackup(signal: AbortSignal): Promise<boolean> {
    const { lifecycle, config, mark, notice, lockDeadlineMs } = this.#options;
    const { save } = rulesOf(config());
    const canLock = save.off !== undefined || save.flush !== undefined;
    // What is about to change is waited for: a stop writes the world, and a server that starts takes no commands yet.
    const isSettled = () => {
      if (lifecycle.phase === 'starting') return !canLock;
      return lifecycle.phase !== 'provisioning' && lifecycle.phase !== 'stopping';
    };
    await lifecycle.until(isSettled, AbortSignal.any([signal, AbortSignal.timeout(lockDeadlineMs)]));

    const { game, rules } = await lifecycle.exclusively(() => ({ game: lifecycle.game, rules: lifecycle.rules }));
    if (!game || !rules) return lifecycle.phase !== 'provisioning';
    if (lifecycle.phase !== 'running') return false;
    await this.#inherited;
    const { commandFailedPattern } = rules.definition;
    const locked = { game, typed: false };
    this.#locked = locked;
    const still = await lockWorld(game, {
      save: rules.save,
      commandFailed: commandFailedPattern === null ? undefined : new RegExp(commandFailedPattern),
      mark,
      deadlineMs: lockDeadlineMs,
      notice,
      signal,
      onTyped: () => {
        locked.typed = true;
      },
    });
    if (lifecycle.game !== undefined) return still;
    // A server that has ended meanwhile writes nothing, and cannot be started while the folder is held.
    this.#locked = undefined;
    return true;
  }

  async #unlockInherited(): Promise<void> {
    const { lifecycle, mark, notice, log } = this.#options;
    try {
      const { game, rules } = lifecycle;
      if (!game || !rules || !(await mark.isSet())) return;
      notice('An earlier backup was cut short: turning saving on again.');
      await unlockWorld(game, { save: rules.save, mark, typed: false });
    } catch (error) {
      log('error', 'saving could not be turned on again; the mark stays for the next start', { error });
    }
  }
}
