import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { HoldActivity } from './folder-hold.ts';
import { rulesOf } from './game-rules.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Log } from './log.ts';
import { phaseOf } from './state-table.ts';
import { LOCK_DEADLINE_MS, lockWorld, unlockWorld } from './world-lock.ts';
import type { WorldLockMark } from './world-lock-mark.ts';

export interface WorldKeeperOptions {
  config: () => InstanceConfig;
  lifecycle: Lifecycle;
  mark: WorldLockMark;
  notice: (text: string) => void;
  log: Log;
}

/** Keeps an instance's world fit to be read while somebody holds its folder, and sees to it that saving is turned on again. */
export class WorldKeeper {
  readonly #options: WorldKeeperOptions;
  /** Settles when what an earlier supervisor may have left locked has been seen to. */
  #inherited: Promise<void> | undefined;

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
  async settle(activity: HoldActivity, signal: AbortSignal): Promise<boolean> {
    return activity === 'restoring' ? this.#settleForRestore() : this.#settleForBackup(signal);
  }

  /** Undoes that; never throws. */
  async unsettle(activity: HoldActivity): Promise<void> {
    if (activity === 'restoring') return;
    const { lifecycle, mark, log } = this.#options;
    try {
      if (!(await mark.isSet())) return;
      const { game, rules } = lifecycle;
      // Saving is on in every new process.
      if (game && rules) await unlockWorld(game, { save: rules.save, mark });
      else await mark.clear();
    } catch (error) {
      log('error', 'the world may still be locked; the mark stays for the next start', { error });
    }
  }

  async #settleForRestore(): Promise<boolean> {
    const { lifecycle } = this.#options;
    await lifecycle.exclusively(() => {
      if (lifecycle.isAtRest) return;
      throw new GamekeeperError(
        'invalid_state',
        `The server is ${phaseOf(lifecycle.state)}; a backup can be restored only while it is stopped.`,
      );
    });
    return true;
  }

  async #settleForBackup(signal: AbortSignal): Promise<boolean> {
    const { lifecycle, config, mark, notice } = this.#options;
    const { save } = rulesOf(config());
    const canLock = save.off !== undefined || save.flush !== undefined;
    // What is about to change is waited for: a stop writes the world, and a server that starts takes no commands yet.
    const isSettled = () => {
      if (lifecycle.state === 'starting') return !canLock;
      return lifecycle.state !== 'provisioning' && lifecycle.state !== 'stopping';
    };
    await lifecycle.until(isSettled, AbortSignal.any([signal, AbortSignal.timeout(LOCK_DEADLINE_MS)]));

    const { game, rules } = await lifecycle.exclusively(() => ({ game: lifecycle.game, rules: lifecycle.rules }));
    if (!game || !rules) return lifecycle.state !== 'provisioning';
    if (lifecycle.state !== 'running') return false;
    await this.#inherited;
    const { commandFailedPattern } = rules.definition;
    const still = await lockWorld(game, {
      save: rules.save,
      commandFailed: commandFailedPattern === null ? undefined : new RegExp(commandFailedPattern),
      mark,
      deadlineMs: LOCK_DEADLINE_MS,
      notice,
      signal,
    });
    // A server that has ended meanwhile writes nothing, and cannot be started while the folder is held.
    return still || lifecycle.game === undefined;
  }

  async #unlockInherited(): Promise<void> {
    const { lifecycle, mark, notice, log } = this.#options;
    try {
      const { game, rules } = lifecycle;
      if (!game || !rules || !(await mark.isSet())) return;
      notice('An earlier backup was cut short: turning saving on again.');
      await unlockWorld(game, { save: rules.save, mark });
    } catch (error) {
      log('error', 'saving could not be turned on again; the mark stays for the next start', { error });
    }
  }
}
