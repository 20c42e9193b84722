import type { PlayerActionRequest } from '../../../shared/domain/players/player-action.ts';
import { answerPattern } from '../../../shared/domain/players/player-answer.ts';
import { isNameForCommand } from '../../../shared/domain/players/player-name.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { plainLines } from '../game/ask-game.ts';
import { checkCommandLine } from '../game/game-commands.ts';
import { ownerPatterns } from '../game/owner-patterns.ts';
import { plainReason } from './plain-reason.ts';
import { playerNotFound } from './player-not-found.ts';

/** The software on which an action is carried out. */
export interface Target {
  definition: SoftwareDefinition;
  /** As in the instance's settings. */
  version: string;
}

/**
 * Returns the console command of an action: one line with one target. Throws `invalid_request` if the name is not a valid player name or the
 * software has no such command.
 */
export function playerCommand({ name, action, reason }: PlayerActionRequest, { definition, version }: Target): string {
  const { edition, players, title, playerCommands } = definition;
  const template = playerCommands[action];
  if (!isNameForCommand(name, definition, template ?? '')) throw unusableName(definition);
  if (template === undefined)
    throw new GamekeeperError('invalid_request', `${title} has no command to ${action} a player.`);
  const values: Record<string, string> = {
    name: players === undefined && needsQuotes({ name, action, edition, version }) ? `"${name}"` : name,
    reason: plainReason(reason ?? '', { isQuoted: template.includes('"{reason}"') }),
  };
  const command = template.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '').trimEnd();
  checkCommandLine(command);
  return command;
}

function unusableName({ players, title }: SoftwareDefinition): GamekeeperError {
  if (players === undefined)
    return new GamekeeperError('invalid_request', 'name: must be 1 to 16 letters, digits or underscores.');
  return new GamekeeperError('invalid_request', `name: the console of ${title} would not read this as one name.`, {
    resolution: 'Type the command into the console, with the number of the player.',
  });
}

/**
 * Returns the line of an answer that confirms an action, or `undefined` if there is none. Throws `player_not_found` or `command_rejected`.
 * `answer` may have several lines, including unrelated ones, without log prefixes.
 */
export function confirmationIn(
  answer: string,
  { name, action }: PlayerActionRequest,
  { playerDonePatterns, playerNotFoundPattern, commandFailedPattern }: SoftwareDefinition,
): string | undefined {
  const lines = plainLines(answer);
  const lineThatFits = (pattern: string | null | undefined) => {
    const wanted = pattern && answerPattern(pattern, name);
    return wanted ? lines[ownerPatterns.each(lines, (line) => wanted.test(line)).indexOf(true)] : undefined;
  };
  const done = lineThatFits(playerDonePatterns[action]);
  if (done !== undefined) return done;
  if (lineThatFits(playerNotFoundPattern) !== undefined) throw playerNotFound(name);
  const failed = lineThatFits(commandFailedPattern);
  if (failed !== undefined) throw new GamekeeperError('command_rejected', failed.trim());
  return undefined;
}

/**
 * Since 1.13 commands are parsed by Brigadier: `kick` takes a string, in which an asterisk must be quoted; the other commands take everything
 * up to the next blank as a name, quotes included. All commands of Bedrock take strings.
 */
function needsQuotes({ name, action, edition, version }: PlayerActionRequest & { edition: string; version: string }) {
  if (edition === 'bedrock') return /\W/.test(name);
  return name.startsWith('*') && action === 'kick' && !isBelow(version, '1.13');
}
