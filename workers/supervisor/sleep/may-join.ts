import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { PlayerList } from '../../../shared/domain/player-list.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { readListedPlayers } from '../players/listed-players.ts';

export interface JoinCheckOptions {
  folder: string;
  definition: SoftwareDefinition;
  /** Called once for each state of a list that cannot be read, with why. */
  onUnreadable: (why: string) => void;
}

/** Names in lower case, and until when each is listed: milliseconds since the epoch. */
type Listed = ReadonlyMap<string, number>;

/**
 * Whom a sleeping server would let in. Nobody has proved yet who they are: this only keeps those away whom the server would turn away as
 * well, so that they do not start it.
 */
export class JoinCheck {
  readonly #options: JoinCheckOptions;
  /** Whoever wants to can ask again and again; a list is read once for each of its states. */
  readonly #read = new Map<PlayerList, { state: string; listed: Promise<Listed> }>();

  constructor(options: JoinCheckOptions) {
    this.#options = options;
  }

  /** Why a player of that name is not let in, in vanilla's words where it has some, or nothing. `now`: milliseconds since the epoch. */
  async whyNot(name: string, { whitelist, now }: { whitelist: boolean; now: number }): Promise<string | undefined> {
    const isIn = async (list: PlayerList) => ((await this.#list(list)).get(name.toLowerCase()) ?? now) > now;
    try {
      if (await isIn('bans')) return 'You are banned from this server.';
      if (whitelist && !(await isIn('allowlist')) && !(await isIn('operators')))
        return 'You are not white-listed on this server!';
      return undefined;
    } catch (error) {
      if (!(error instanceof GamekeeperError)) throw error;
      return 'This server cannot tell who may join. Ask whoever runs it.';
    }
  }

  async #list(list: PlayerList): Promise<Listed> {
    const { folder, definition, onUnreadable } = this.#options;
    const file = definition.playerLists[list];
    if (file === undefined) return new Map();
    const state = await stateOf(path.join(folder, file));
    const known = this.#read.get(list);
    if (known?.state === state) return known.listed;
    const listed = readListedPlayers(list, { folder, definition }).then((players) => {
      const entries = players.map(({ name, expiresAt }) => [name.toLowerCase(), expiresAt] as const);
      return new Map(entries.map(([name, until]) => [name, until === undefined ? Infinity : Date.parse(until)]));
    });
    this.#read.set(list, { state, listed });
    listed.catch((error: Error) => onUnreadable(error.message));
    return listed;
  }
}

/** Another one for each change of a file. */
async function stateOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => undefined); // not there; what else there is, reading it tells
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
}
