import { GamekeeperError, isGamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { ConsoleLog } from '../../console/console-log.ts';
import { rulesOf } from '../../game/game-rules.ts';
import type { OperatorCommands } from '../../game/operator-commands.ts';
import type { InstanceSettings } from '../../instance-settings.ts';
import type { Lifecycle } from '../../lifecycle/lifecycle.ts';
import type { Log } from '../../own-process/process-log.ts';
import { isListAction } from '../lists/change-lists.ts';
import { isOtherBan, withEnds } from '../lists/changed-list.ts';
import { type ListPlace, readListFile, writeListFile } from '../lists/list-file.ts';
import { readListedPlayers } from '../lists/listed-players.ts';
import type { BanEnd, BanEnds } from './ban-ends.ts';

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
  /** The messages of the last attempts, which are not logged again. */
  #problems: ReadonlySet<string> = new Set();

  constructor(options: BanKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.update(), options.everyMs).unref();
  }

  /** Call this after each change of the lifecycle. */
  update(): void {
    if (this.#isBusy || this.#options.ends.all.length === 0) return;
    this.#isBusy = true;
    void this.#settle().finally(() => {
      this.#isBusy = false;
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The timer tries again what fails. */
  async #settle(): Promise<void> {
    const problems = new Set<string>();
    const report = (error: unknown) => {
      const message = String(error);
      if (!this.#problems.has(message)) this.#options.log('warn', 'temporary bans could not be ended', { error });
      problems.add(message);
    };
    if (this.#options.lifecycle.phase === 'running') await this.#pardonAll(report);
    else await this.#giveToList(report);
    this.#problems = problems;
  }

  async #pardonAll(report: (error: unknown) => void): Promise<void> {
    const { ends, lifecycle } = this.#options;
    for (const end of ends.all.filter(({ endsAt }) => endsAt <= Date.now())) {
      if (lifecycle.phase !== 'running') return;
      await this.#pardon(end).catch(report);
    }
  }

  async #giveToList(report: (error: unknown) => void): Promise<void> {
    const { lifecycle, settings } = this.#options;
    const { current } = settings;
    const where = { folder: current.directory, definition: rulesOf(current).definition };
    if (!isListAction('ban', { ...where, version: current.version })) return;
    try {
      await lifecycle.whileStopped(() => this.#writeEnds(where).catch(report));
    } catch (error) {
      // The server starts or stops, or its folder is locked.
      if (!(error instanceof GamekeeperError)) report(error);
    }
  }

  async #writeEnds(where: ListPlace): Promise<void> {
    const { ends } = this.#options;
    const written = ends.all;
    const entries = await readListFile('bans', where);
    if (!entries) return;
    await writeListFile('bans', withEnds(entries, written), where);
    await ends.forgetAll(written);
  }

  async #pardon(end: BanEnd): Promise<void> {
    const { ends, commands, console } = this.#options;
    if ((await this.#isInForce(end)) === false) return ends.forgetAll([end]);
    try {
      await commands.playerAction({ name: end.name, action: 'pardon' });
      console.appendNotice(`The ban of ${end.name} has ended.`);
    } catch (error) {
      if (!isGamekeeperError(error, 'command_rejected', 'player_not_found')) throw error;
      // A server that cannot look the player up refuses as well.
      if (await this.#isInForce(end)) throw error;
      await ends.forgetAll([end]);
    }
  }

  /** False if the player was pardoned, or banned again, in the game; `undefined` if there is no list of bans. */
  async #isInForce(end: BanEnd): Promise<boolean | undefined> {
    const { current } = this.#options.settings;
    const { definition } = rulesOf(current);
    if (definition.playerLists.bans === undefined) return undefined;
    const bans = await readListedPlayers('bans', { folder: current.directory, definition });
    const ban = bans.find(({ name }) => name.toLowerCase() === end.name.toLowerCase());
    return ban !== undefined && !isOtherBan(ban, end);
  }
}
