import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

export function playerNotFound(name: string): GamekeeperError {
  return new GamekeeperError('player_not_found', `There is no player ${name} on the server.`);
}
