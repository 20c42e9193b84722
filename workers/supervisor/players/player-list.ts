import { isShownName } from '../../../shared/domain/players/player-name.ts';
import { takesMinecraftCommands } from '../../../shared/domain/software/admin-channel.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Player } from '../../../shared/schema/answers.ts';
import type { Rcon } from '../game/game-commands.ts';
import { ManagementError } from '../management/management-error.ts';
import type { ManagementSession } from '../management/management-session.ts';
import { RconError } from '../rcon/rcon-error.ts';
import { namesInListAnswer } from './list-answer.ts';
import { readListedPlayers } from './lists/listed-players.ts';
import { MOST_PLAYERS, type Presence } from './presence.ts';

/** The command needs no world, so a server that takes longer is stuck. */
const LIST_TIMEOUT_MS = 3_000;

export interface PlayerListInput {
  definition: SoftwareDefinition;
  folder: string;
  management: Pick<ManagementSession, 'players'>;
  rcon: Rcon | undefined;
  presence: Presence;
  /** The last answer to the server list ping, if any. */
  ping: { online: number; sample: readonly string[] } | undefined;
}

/**
 * Returns the players who are online, at most `MOST_PLAYERS`: from the management protocol, else from RCON, else from the console and the
 * server list ping. Types nothing into the console.
 */
export async function listPlayers(input: PlayerListInput): Promise<Player[]> {
  const { definition, folder, management, rcon, presence, ping } = input;
  const managed = await askManagement(management);
  const answered = (managed ? [...managed.keys()] : rcon && (await askNames(rcon, definition)))?.slice(0, MOST_PLAYERS);
  if (answered) presence.keepOnly(answered);
  const names = (answered ?? namesSeen(presence, ping))
    .filter((name) => isShownName(name, definition))
    .slice(0, MOST_PLAYERS);
  if (names.length === 0) return [];
  const operators = await readOperators({ folder, definition });
  return names.map((name) => {
    const since = presence.since(name);
    const uuid = managed?.get(name) ?? operators?.get(name);
    return {
      name,
      ...(uuid && { uuid }),
      ...(operators && { op: operators.has(name) }),
      ...(since !== undefined && { since: new Date(since).toISOString() }),
    };
  });
}

/**
 * The console is up to date, but only as far as its messages are known. The ping's sample is seconds old, may be incomplete, and may
 * contain jokes instead of names.
 */
function namesSeen(presence: Presence, ping: PlayerListInput['ping']): string[] {
  const names = presence.names;
  if (!ping || names.length >= ping.online) return names;
  return [...new Set([...names, ...ping.sample])];
}

/** Returns who is online as far as the console and the server list ping show it, or `undefined` if that cannot be everybody. */
export function knownNames(presence: Presence, ping: PlayerListInput['ping']): string[] | undefined {
  if (!ping) return undefined;
  const names = namesSeen(presence, ping);
  return names.length >= ping.online ? names : undefined;
}

/** Returns names and UUIDs. */
async function askManagement(management: PlayerListInput['management']) {
  try {
    return new Map((await management.players()).map(({ name, uuid }) => [name, uuid]));
  } catch (error) {
    if (error instanceof ManagementError) return undefined; // ask the next source
    throw error;
  }
}

/** Returns the names in the answer to Minecraft's `list`, or `undefined` if there is no such list. */
export async function askNames(rcon: Rcon, definition: SoftwareDefinition): Promise<string[] | undefined> {
  if (!takesMinecraftCommands(definition)) return undefined;
  try {
    return namesInListAnswer(await rcon.run('list', { timeoutMs: LIST_TIMEOUT_MS }), definition.edition);
  } catch (error) {
    if (error instanceof RconError) return undefined; // ask the next source
    throw error;
  }
}

/** Returns names and UUIDs, or `undefined` if the list does not exist or cannot be read. */
async function readOperators(where: { folder: string; definition: SoftwareDefinition }) {
  try {
    const operators = await readListedPlayers('operators', where);
    return new Map(operators.map(({ name, uuid }) => [name, uuid]));
  } catch (error) {
    if (error instanceof GamekeeperError) return undefined;
    throw error;
  }
}
