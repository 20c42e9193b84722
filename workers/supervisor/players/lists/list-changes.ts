import type { PlayerAction } from '../../../../shared/domain/players/player-action.ts';
import type { PlayerList } from '../../../../shared/domain/players/player-list.ts';

/** An action that changes a list. The texts are those of vanilla's commands. */
export interface ListChange {
  list: PlayerList;
  adds: boolean;
  /** The answer if there is nothing to change. */
  already: string;
  done: (name: string) => string;
}

export const LIST_CHANGES: Readonly<Record<Exclude<PlayerAction, 'kick'>, ListChange>> = {
  ban: {
    list: 'bans',
    adds: true,
    already: 'Nothing changed. The player is already banned',
    done: (name) => `Banned ${name}`,
  },
  pardon: {
    list: 'bans',
    adds: false,
    already: "Nothing changed. The player isn't banned",
    done: (name) => `Unbanned ${name}`,
  },
  op: {
    list: 'operators',
    adds: true,
    already: 'Nothing changed. The player already is an operator',
    done: (name) => `Made ${name} a server operator`,
  },
  deop: {
    list: 'operators',
    adds: false,
    already: 'Nothing changed. The player is not an operator',
    done: (name) => `Made ${name} no longer a server operator`,
  },
  whitelist: {
    list: 'allowlist',
    adds: true,
    already: 'Player is already whitelisted',
    done: (name) => `Added ${name} to the whitelist`,
  },
  unwhitelist: {
    list: 'allowlist',
    adds: false,
    already: 'Player is not whitelisted',
    done: (name) => `Removed ${name} from the whitelist`,
  },
};
