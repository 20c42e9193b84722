import type { PlayerAction } from '../../../shared/domain/players/player-action.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { playerNotFound } from '../players/player-not-found.ts';
import { ManagementError } from './management-error.ts';
import { asPlayers, type ManagedPlayer } from './player-dto.ts';

/** The part of a management session that actions use. */
export interface Management {
  call(method: string, params: readonly unknown[], options: { timeoutMs: number }): Promise<unknown>;
}

/** Lists are in the server's memory. */
const READ_TIMEOUT_MS = 3_000;
/** The server may look a name up at Mojang before it answers. */
const ACT_TIMEOUT_MS = 30_000;

/** An action that changes a list. The texts are those of vanilla's commands. */
interface ListChange {
  list: 'bans' | 'operators' | 'allowlist';
  adds: boolean;
  /** The answer if there is nothing to change. */
  already: string;
  done: (name: string) => string;
}

const CHANGES: Readonly<Record<Exclude<PlayerAction, 'kick'>, ListChange>> = {
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

/**
 * Carries out an action over the management protocol and resolves to the answer of vanilla's command. Throws `player_not_found`,
 * `command_rejected`, or a ManagementError; after `unavailable` and `refused`, nothing was changed and the command can be tried.
 */
export async function actOverManagement(
  management: Management,
  { action, name, reason }: { action: PlayerAction; name: string; reason: string },
): Promise<string> {
  if (action === 'kick') return kick(management, name, reason);
  const { list, adds, already, done } = CHANGES[action];
  // Read first: the protocol's answer does not show whether anything changed.
  const before = find(await read(management, `minecraft:${list}`), name);
  if ((before !== undefined) === adds) throw new GamekeeperError('command_rejected', already);
  const method = `minecraft:${list}/${adds ? 'add' : 'remove'}`;
  const result = await management.call(method, [[entryOf(action, name, reason)]], { timeoutMs: ACT_TIMEOUT_MS });
  const after = find(asPlayers(result), name);
  if (adds && after === undefined) throw playerNotFound(name);
  // The server ignores a name whose profile it cannot look up.
  if (!adds && after !== undefined) throw new ManagementError('refused', `${method} left ${name} on the list`);
  const said = done((after ?? before)?.name ?? name);
  return reason !== '' && action === 'ban' ? `${said}: ${reason}` : said;
}

async function kick(management: Management, name: string, reason: string): Promise<string> {
  const entry = { player: { name }, ...(reason !== '' && { message: { literal: reason } }) };
  const result = await management.call('minecraft:players/kick', [[entry]], { timeoutMs: ACT_TIMEOUT_MS });
  const kicked = find(asPlayers(result), name);
  if (kicked === undefined) throw playerNotFound(name);
  return reason === '' ? `Kicked ${kicked.name}` : `Kicked ${kicked.name}: ${reason}`;
}

/** Any failure is `unavailable`, because a read changes nothing. */
async function read(management: Management, method: string): Promise<ManagedPlayer[]> {
  try {
    return asPlayers(await management.call(method, [], { timeoutMs: READ_TIMEOUT_MS }));
  } catch (error) {
    if (!(error instanceof ManagementError)) throw error;
    throw new ManagementError('unavailable', error.message, { cause: error });
  }
}

/** An operator without a level gets the server's default level. */
function entryOf(action: PlayerAction, name: string, reason: string): object {
  if (action === 'ban') return { player: { name }, ...(reason !== '' && { reason }) };
  return action === 'op' ? { player: { name } } : { name };
}

/** Vanilla's lists ignore case. */
function find(players: readonly ManagedPlayer[], name: string): ManagedPlayer | undefined {
  return players.find((player) => player.name.toLowerCase() === name.toLowerCase());
}
