import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { OperatorCommands } from '../game/operator-commands.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../own-process/process-log.ts';
import type { BanEnd, BanEnds } from './ban-ends.ts';
import { isListAction } from './change-lists.ts';
import { isOtherBan, withEnds } from './changed-list.ts';
import { readListFile, writeListFile } from './list-file.ts';
import { readListedPlayers } from './listed-players.ts';

/** How late a ban may end. Milliseconds. */
export const END_BANS_EVERY_MS = 10_000;

export interface BanKeeperOptions {
  ends: BanEnds;
  settings: Pick<InstanceSettings, 'current'>;
  lifecycle: Pick<Lifecycle, 'phase' | 'whileStopped'>;
  commands: Pick<OperatorCommands, 'playerAction'>;
  console: Pick<ConsoleLog, 'appendNotice'>;
  everyMs: number;
  log: Log;
}

/**
 * Ends temporary bans: pardons players of a running server when it is time, and writes the ends into the list of a stopped one, which then
 * ends these bans itself.
 */
export class BanKeeper {
  readonly #options: BanKeeperOptions;
  readonly #timer: NodeJS.Timeout;
  #isBusy = false;

  constructor(options: BanKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.update(), options.everyMs).unref();
  }

  /** Call this after each change of the lifecycle. */
  update(): void {
    const { ends, log } = this.#options;
    if (this.#isBusy || ends.all.length === 0) return;
    this.#isBusy = true;
    this.#settle()
      .catch((error: unknown) => {
        // The server does not answer, or its folder is locked: the timer tries again.
        if (!(error instanceof GamekeeperError)) log('warn', 'temporary bans could not be ended', { error });
      })
      .finally(() => {
        this.#isBusy = false;
      });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #settle(): Promise<void> {
    const { ends, lifecycle, settings } = this.#options;
    if (lifecycle.phase === 'running') {
      for (const end of ends.all) if (end.endsAt <= Date.now()) await this.#pardon(end);
      return;
    }
    const { current } = settings;
    const where = { folder: current.directory, definition: rulesOf(current).definition };
    if (!isListAction('ban', { ...where, version: current.version })) return;
    await lifecycle.whileStopped(async () => {
      const entries = await readListFile('bans', where);
      if (!entries) return;
      await writeListFile('bans', withEnds(entries, ends.all), where);
      for (const { name } of ends.all) await ends.forget(name);
    });
  }

  async #pardon(end: BanEnd): Promise<void> {
    const { ends, commands, console } = this.#options;
    if (!(await this.#isInForce(end))) return ends.forget(end.name);
    try {
      await commands.playerAction({ name: end.name, action: 'pardon' });
      console.appendNotice(`The ban of ${end.name} has ended.`);
    } catch (error) {
      if (!isGamekeeperError(error, 'command_rejected', 'player_not_found')) throw error;
      await ends.forget(end.name);
    }
  }

  /** False if the player was pardoned, or banned again, in the game. Without a list of bans nobody knows. */
  async #isInForce(end: BanEnd): Promise<boolean> {
    const { current } = this.#options.settings;
    const { definition } = rulesOf(current);
    if (definition.playerLists.bans === undefined) return true;
    const bans = await readListedPlayers('bans', { folder: current.directory, definition });
    const ban = bans.find(({ name }) => name.toLowerCase() === end.name.toLowerCase());
    return ban !== undefined && !isOtherBan(ban, end);
  }
}
