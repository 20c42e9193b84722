import type { PlayerAction } from '../../../shared/domain/player-action.ts';
import { isPlayerName } from '../../../shared/domain/player-name.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { checkCommandLine } from '../command-line.ts';

export interface PlayerActionRequest {
  name: string;
  action: PlayerAction;
  reason?: string;
}

/**
 * The console command of an action. Throws `invalid_request` for a name that could be anything but a name, or where the software has no
 * such command.
 */
export function playerCommand({ name, action, reason }: PlayerActionRequest, definition: SoftwareDefinition): string {
  if (!isPlayerName(name, definition.edition))
    throw new GamekeeperError('invalid_request', 'name: must be a player name (letters, digits, underscore; 1 to 16).');
  const template = definition.playerCommands[action];
  if (template === undefined)
    throw new GamekeeperError('invalid_request', `${definition.title} has no command to ${action} a player.`);
  const values: Record<string, string> = { name: name.includes(' ') ? `"${name}"` : name, reason: reason ?? '' };
  const command = template.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '').trimEnd();
  checkCommandLine(command);
  return command;
}

/**
 * Tells from the server's answer whether an action has worked: throws `player_not_found` or `command_rejected`. `answer` may hold several
 * lines, without log prefixes.
 */
export function checkPlayerAnswer(answer: string, name: string, definition: SoftwareDefinition): void {
  const lines = answer.split('\n');
  const says = (pattern: string | null) => pattern !== null && lines.some((line) => new RegExp(pattern).test(line));
  if (says(definition.playerNotFoundPattern))
    throw new GamekeeperError('player_not_found', `There is no player ${name} on the server.`);
  if (says(definition.commandFailedPattern)) throw new GamekeeperError('command_rejected', answer.trim());
}
