import { isPlayerName } from '../../../shared/domain/player-name.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Player } from '../../../shared/schema/answers.ts';
import type { Rcon } from '../game/game-commands.ts';
import { ManagementError } from '../management/management-error.ts';
import type { ManagementSession } from '../management/management-session.ts';
import { RconError } from '../rcon/rcon-error.ts';
import { namesInListAnswer } from './list-answer.ts';
import { readListedPlayers } from './listed-players.ts';
import { MOST_PLAYERS, type Presence } from './presence.ts';

/** A command that needs no world; a server that takes longer is stuck, and then the console's knowledge has to do. */
const LIST_TIMEOUT_MS = 3_000;

export interface PlayerListInput {
  definition: SoftwareDefinition;
  folder: string;
  management: Pick<ManagementSession, 'players'>;
  rcon: Rcon | undefined;
  presence: Presence;
  /** What the server list ping says, if it is answered. */
  ping: { online: number; sample: readonly string[] } | undefined;
}

/**
 * Who plays now: asked over the management protocol, else over RCON, else known from the console and the server list ping. Types nothing
 * into the console. At most `MOST_PLAYERS`.
 */
export async function listPlayers(input: PlayerListInput): Promise<Player[]> {
  const { definition, folder, management, rcon, presence, ping } = input;
  const { edition } = definition;
  const managed = await askManagement(management);
  const answered = (managed ? [...managed.keys()] : rcon && (await askNames(rcon, edition)))?.slice(0, MOST_PLAYERS);
  if (answered) presence.keepOnly(answered);
  const names = (answered ?? namesSeen(presence, ping))
    .filter((name) => isPlayerName(name, edition))
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

/** The console is up to date but needs words that we know; the ping's sample is seconds old, may be cut short, or hold jokes. */
function namesSeen(presence: Presence, ping: PlayerListInput['ping']): string[] {
  const names = presence.names;
  if (!ping || names.length >= ping.online) return names;
  return [...new Set([...names, ...ping.sample])];
}

/** Names and UUIDs. */
async function askManagement(management: PlayerListInput['management']) {
  try {
    return new Map((await management.players()).map(({ name, uuid }) => [name, uuid]));
  } catch (error) {
    if (error instanceof ManagementError) return undefined; // the other sources have to do
    throw error;
  }
}

async function askNames(rcon: Rcon, edition: 'java' | 'bedrock'): Promise<string[] | undefined> {
  try {
    return namesInListAnswer(await rcon.run('list', { timeoutMs: LIST_TIMEOUT_MS }), edition);
  } catch (error) {
    if (error instanceof RconError) return undefined; // the other sources have to do
    throw error;
  }
}

/** Names and UUIDs. A list that there is not, or that cannot be read, costs the marks in this one, nothing else. */
async function readOperators(where: { folder: string; definition: SoftwareDefinition }) {
  try {
    const operators = await readListedPlayers('operators', where);
    return new Map(operators.map(({ name, uuid }) => [name, uuid]));
  } catch (error) {
    if (error instanceof GamekeeperError) return undefined;
    throw error;
  }
}
