import type { PlayerAction } from '../../../shared/domain/players/player-action.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { LIST_CHANGES } from '../players/lists/list-changes.ts';
import { playerNotFound } from '../players/player-not-found.ts';
import { ManagementError } from './management-error.ts';
import { asPlayers, type ManagedPlayer } from './player-dto.ts';

/** The part of a management session that actions use. */
export interface Management {
  call(method: string, params: readonly unknown[], options: { timeoutMs: number }): Promise<unknown>;
}

export interface ManagedAction {
  action: PlayerAction;
  name: string;
  reason: string;
  /** Of a ban, in milliseconds since the epoch. */
  endsAt?: number | undefined;
  /** Of an operator. */
  level?: number | undefined;
}

/** Lists are in the server's memory. */
const READ_TIMEOUT_MS = 3_000;
/** The server may look a name up at Mojang before it answers. */
const ACT_TIMEOUT_MS = 30_000;

/**
 * Carries out an action over the management protocol and resolves to the answer of vanilla's command. Throws `player_not_found`,
 * `command_rejected`, or a ManagementError; after `unavailable` and `refused`, nothing was changed and the command can be tried.
 */
export async function actOverManagement(
  management: Management,
  { action, name, reason, endsAt, level }: ManagedAction,
): Promise<string> {
  if (action === 'kick') return kick(management, name, reason);
  const { list, adds, already, done } = LIST_CHANGES[action];
  // Read first: the protocol's answer does not show whether anything changed.
  const before = find(await read(management, `minecraft:${list}`), name);
  if ((before !== undefined) === adds) throw new GamekeeperError('command_rejected', already);
  const method = `minecraft:${list}/${adds ? 'add' : 'remove'}`;
  const result = await management.call(method, [[entryOf({ action, name, reason, endsAt, level })]], {
    timeoutMs: ACT_TIMEOUT_MS,
  });
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
function entryOf({ action, name, reason, endsAt, level }: ManagedAction): object {
  if (action === 'ban')
    return {
      player: { name },
      ...(reason !== '' && { reason }),
      ...(endsAt !== undefined && { expires: new Date(endsAt).toISOString() }),
    };
  if (action === 'op') return { player: { name }, ...(level !== undefined && { permissionLevel: level }) };
  return { name };
}

/** Vanilla's lists ignore case. */
function find(players: readonly ManagedPlayer[], name: string): ManagedPlayer | undefined {
  return players.find((player) => player.name.toLowerCase() === name.toLowerCase());
}
