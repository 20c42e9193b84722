import type { PlayerAction, PlayerActionRequest } from '../../../shared/domain/players/player-action.ts';
import type { PlayerList } from '../../../shared/domain/players/player-list.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isSpeech } from '../game/log-prefix.ts';
import { readListedPlayers } from './lists/listed-players.ts';
import { playerNotFound } from './player-not-found.ts';

/** A longer line is not an answer about one player. */
const LONGEST_LINE = 300;

const NOBODY = new RegExp(
  [
    String.raw`\bnot found\b`,
    String.raw`\b(?:could ?n[o'\u2019]t|cannot|can['\u2019]t) (?:be found|find)\b`,
    String.raw`\b(?:no such|unknown|invalid|there is no) (?:player|user)\b`,
    String.raw`\b(?:is|was|are)(?: not|n['\u2019]t)(?: currently)? (?:online|connected|on (?:the|this) server|in (?:the )?game)\b`,
    String.raw`\b(?:is|was)(?: currently)? offline\b`,
    String.raw`\bdoes(?: not|n['\u2019]t) exist\b`,
  ].join('|'),
  'i',
);
/** Unlike chat, which begins with the name or the rank of a player. */
const BEGINS_LIKE_AN_ANSWER = /^(?:error:? )?(?:(?:that|the|no such|unknown|invalid) )?(?:player|user)\b/i;
const ABOUT_A_PLAYER = /\b(?:player|user)\b/i;
const NO_COMMAND =
  /\b(?:unknown|invalid|no such) command\b|\bcommand\b.{0,60}\b(?:not found|unknown|does(?: not|n['\u2019]t) exist)\b/i;

/** The list to which an action adds a player. */
const ADDS_TO: Readonly<Partial<Record<PlayerAction, PlayerList>>> = {
  ban: 'bans',
  op: 'operators',
  whitelist: 'allowlist',
};

interface Evidence {
  definition: SoftwareDefinition;
  /** The server's folder. */
  folder: string;
  /** The players who were online before, if they are known. */
  online: readonly string[] | undefined;
}

export interface UnknownAnswer extends Evidence {
  /** The server's answer, of which the description of its software knows no line. */
  answer: string;
}

export interface UnknownLines extends Evidence {
  /** What the server itself printed after the command, without log prefixes. The description of its software knows no line. */
  lines: readonly string[];
}

/**
 * Decides what became of an action from an answer in unknown words: by what most servers say, by the server's own lists, and for a kick by who
 * was online. Throws `player_not_found` or `command_rejected`; returns if the action succeeded or nothing proves the opposite.
 */
export async function checkUnknownAnswer(request: PlayerActionRequest, unknown: UnknownAnswer): Promise<void> {
  const { name, action } = request;
  const lines = unknown.answer.split('\n').filter((line) => line.length <= LONGEST_LINE);
  const rejected = lines.find((line) => NO_COMMAND.test(line));
  if (rejected !== undefined) throw new GamekeeperError('command_rejected', rejected.trim());
  const isAbout = (line: string) => ABOUT_A_PLAYER.test(line) || line.toLowerCase().includes(name.toLowerCase());
  const saysNobody = lines.some((line) => NOBODY.test(line) && isAbout(line));
  const wasAbsent = action === 'kick' && unknown.online !== undefined && !isAmong(unknown.online, name);
  if (wasAbsent || (saysNobody && !(await isOnList(request, unknown)))) throw playerNotFound(name);
}

/**
 * Like `checkUnknownAnswer`, for a server without RCON. Its lines may be about anything, so only those count that name the player or begin like
 * an answer. The players who were online may be some seconds old: a line that names the player, and does not say that he is absent, weighs more.
 */
export async function checkUnknownLines(request: PlayerActionRequest, unknown: UnknownLines): Promise<void> {
  const { name, action } = request;
  const namesPlayer = new RegExp(String.raw`(?<![\w.*-])${name.replace(/[.*-]/g, '\\$&')}(?!\w)`, 'i');
  const lines = unknown.lines.filter((line) => line.length <= LONGEST_LINE && !isSpeech(line));
  const about = lines.filter((line) => namesPlayer.test(line) || BEGINS_LIKE_AN_ANSWER.test(line));
  const saysNobody = about.some((line) => NOBODY.test(line));
  if (action === 'kick' && unknown.online !== undefined) {
    const isEvident = saysNobody || about.length === 0;
    if (isEvident && !isAmong(unknown.online, name)) throw playerNotFound(name);
  } else if (saysNobody && !(await isOnList(request, unknown))) throw playerNotFound(name);
}

/** Returns whether the list to which the action adds has the player. Some servers ban players whom they have never seen, and say so. */
async function isOnList(
  { name, action }: PlayerActionRequest,
  { definition, folder }: Pick<UnknownAnswer, 'definition' | 'folder'>,
): Promise<boolean> {
  const list = ADDS_TO[action];
  if (list === undefined || definition.playerLists[list] === undefined) return false;
  try {
    const listed = await readListedPlayers(list, { folder, definition });
    return isAmong(
      listed.map((player) => player.name),
      name,
    );
  } catch (error) {
    if (error instanceof GamekeeperError) return false; // the file is damaged
    throw error;
  }
}

/** Servers ignore the case of names. */
function isAmong(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}
