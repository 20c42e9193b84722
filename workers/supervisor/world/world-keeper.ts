import type { Activity } from '../../../shared/domain/instance/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { FolderGuard } from '../folder/folder-lock.ts';
import type { GameProcess, GameServices } from '../game/game-process.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { lockWorld, unlockWorld } from './world-lock.ts';
import type { WorldLockMark } from './world-lock-mark.ts';

export interface WorldKeeperOptions {
  settings: InstanceSettings;
  lifecycle: Lifecycle;
  mark: WorldLockMark;
  services: Pick<GameServices, 'console' | 'log'>;
  /** Throws while a part of the folder is where an interrupted restore has put it. */
  assertRestored: () => void;
  /** For each command of locking the world, milliseconds. */
  lockDeadlineMs: number;
}

/** Keeps an instance's world safe to read while its folder is locked, and makes sure that saving is turned on again. */
export class WorldKeeper implements FolderGuard {
  readonly #options: WorldKeeperOptions;
  /** Settles once a world that a killed supervisor may have left locked is unlocked. */
  #recovered: Promise<void> | undefined;
  /** The game whose world is locked, and whether `save-off` was typed into its console. */
  #locked: { game: GameProcess; typed: boolean } | undefined;

  constructor(options: WorldKeeperOptions) {
    this.#options = options;
  }

  /**
   * Turns saving on again if a killed supervisor left it off. Call this whenever the server is ready; only the first call does something,
   * since this supervisor unlocks what it locks itself.
   */
  recover(): Promise<void> {
    this.#recovered ??= this.#unlockLeftover();
    return this.#recovered;
  }

  /** Resolves to whether the world is on disk and unchanging. Throws `invalid_state` if the activity is not possible now. */
  async settle(activity: Activity, signal: AbortSignal): Promise<boolean> {
    if (activity !== 'restoring') this.#options.assertRestored();
    return activity === 'backing-up' ? this.#settleForBackup(signal) : this.#settleForChange(activity);
  }

  isStill(): boolean {
    if (!this.#locked) return true; // nothing ran, and nothing can have been started
    const { lifecycle } = this.#options;
    // A server that stops writes its world.
    return lifecycle.phase === 'running' && lifecycle.game === this.#locked.game;
  }

  async unsettle(activity: Activity): Promise<void> {
    if (activity !== 'backing-up') return;
    const { lifecycle, mark, services } = this.#options;
    const typed = this.#locked?.typed ?? false;
    this.#locked = undefined;
    try {
      if (!(await mark.isSet())) return;
      const { game, rules } = lifecycle;
      if (game && rules) await unlockWorld(game, { save: rules.save, mark, typed });
      else await mark.clear(); // every new process has saving on
    } catch (error) {
      services.log('error', 'the world may still be locked; the mark stays for the next start', { error });
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
    const { lifecycle, settings, lockDeadlineMs } = this.#options;
    const { save } = rulesOf(settings.current);
    const canLock = save.off !== undefined || save.flush !== undefined;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(lockDeadlineMs)]);
    await lifecycle.until(() => !this.#isAboutToChange(canLock), deadline);

    const { game, rules } = await lifecycle.exclusively(() => ({ game: lifecycle.game, rules: lifecycle.rules }));
    if (!game || !rules) return lifecycle.phase !== 'provisioning';
    if (lifecycle.phase !== 'running') return false;
    await this.#recovered;
    const { commandFailedPattern } = rules.definition;
    const locked = { game, typed: false };
    this.#locked = locked;
    const still = await lockWorld(game, {
      save: rules.save,
      commandFailed: commandFailedPattern === null ? undefined : new RegExp(commandFailedPattern),
      mark: this.#options.mark,
      deadlineMs: lockDeadlineMs,
      signal,
      report: {
        notice: (text) => this.#notice(text),
        typed() {
          locked.typed = true;
        },
      },
    });
    if (lifecycle.game !== undefined) return still;
    // The server ended meanwhile: it writes nothing, and cannot be started while the folder is locked.
    this.#locked = undefined;
    return true;
  }

  /** A stop writes the world, and a server that is starting takes no commands yet. */
  #isAboutToChange(canLock: boolean): boolean {
    const { phase } = this.#options.lifecycle;
    return phase === 'provisioning' || phase === 'stopping' || (phase === 'starting' && canLock);
  }

  async #unlockLeftover(): Promise<void> {
    const { lifecycle, mark, services } = this.#options;
    try {
      const { game, rules } = lifecycle;
      if (!game || !rules || !(await mark.isSet())) return;
      this.#notice('An earlier backup was interrupted: turning saving on again.');
      await unlockWorld(game, { save: rules.save, mark, typed: false });
    } catch (error) {
      services.log('error', 'saving could not be turned on again; the mark stays for the next start', { error });
    }
  }

  #notice(text: string): void {
    this.#options.services.console.appendNotice(text);
  }
}
