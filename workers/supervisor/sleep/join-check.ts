import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { PlayerList } from '../../../shared/domain/players/player-list.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { readListedPlayers } from '../players/lists/listed-players.ts';

export interface JoinCheckOptions {
  folder: string;
  definition: SoftwareDefinition;
  /** Called with the reason, once for each version of a list that cannot be read. */
  onUnreadable: (why: string) => void;
}

/** Names in lower case, and the end of each entry in milliseconds since the epoch. */
type Listed = ReadonlyMap<string, number>;

/**
 * Decides whether a player may wake a sleeping server. Names are not authenticated yet: this only keeps out players whom the server would
 * reject anyway.
 */
export class JoinCheck {
  readonly #options: JoinCheckOptions;
  /** Anyone can try to join any number of times, so each version of a list is read only once. */
  readonly #read = new Map<PlayerList, { version: string; listed: Promise<Listed> }>();

  constructor(options: JoinCheckOptions) {
    this.#options = options;
  }

  /** Returns why a player may not join, in vanilla's words if it has some, or `undefined`. `now`: milliseconds since the epoch. */
  async whyNot(name: string, { whitelist, now }: { whitelist: boolean; now: number }): Promise<string | undefined> {
    const isIn = async (list: PlayerList) => ((await this.#list(list)).get(name.toLowerCase()) ?? now) > now;
    try {
      if (await isIn('bans')) return 'You are banned from this server.';
      if (whitelist && !(await isIn('allowlist')) && !(await isIn('operators')))
        return 'You are not white-listed on this server!';
      return undefined;
    } catch (error) {
      if (!(error instanceof GamekeeperError)) throw error;
      return 'This server cannot check who may join. Ask its owner.';
    }
  }

  async #list(list: PlayerList): Promise<Listed> {
    const { folder, definition, onUnreadable } = this.#options;
    const file = definition.playerLists[list];
    if (file === undefined) return new Map();
    const version = await versionOf(path.join(folder, file));
    const known = this.#read.get(list);
    if (known?.version === version) return known.listed;
    const listed = readListedPlayers(list, { folder, definition }).then((players) => {
      const entries = players.map(({ name, expiresAt }) => [name.toLowerCase(), expiresAt] as const);
      return new Map(entries.map(([name, until]) => [name, until === undefined ? Infinity : Date.parse(until)]));
    });
    this.#read.set(list, { version, listed });
    listed.catch((error: Error) => onUnreadable(error.message));
    return listed;
  }
}

/** Returns a different text after each change of a file. */
async function versionOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => undefined); // missing; reading it reports every other problem
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
}
