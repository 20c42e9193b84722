import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { askGame, plainLines } from '../../game/ask-game.ts';
import { checkCommandLine } from '../../game/game-commands.ts';
import type { GameProcess } from '../../game/game-process.ts';

/** The command needs no world, so a server that takes longer is stuck. Milliseconds. */
const ANSWER_WITHIN_MS = 5_000;

/** Sends a command and returns the lines of the answer, without colours. */
export type Ask = (command: string) => Promise<readonly string[]>;

export interface AskWithinOptions {
  /** For all commands together, from now on. Milliseconds. */
  withinMs: number;
  isRunning: () => boolean;
  redact: (text: string) => string;
}

/** Returns how to send the commands of one request to a game. It throws `rcon_unavailable` after their time, and as `askGame` does. */
export function askWithin(game: GameProcess, { withinMs, isRunning, redact }: AskWithinOptions): Ask {
  const deadline = performance.now() + withinMs;
  return async (command) => {
    if (!isRunning())
      throw new GamekeeperError('invalid_state', 'The server has stopped.', { resolution: 'Start the server first.' });
    const timeoutMs = Math.min(ANSWER_WITHIN_MS, Math.round(deadline - performance.now()));
    if (timeoutMs <= 0)
      throw new GamekeeperError('rcon_unavailable', `The server did not answer within ${withinMs / 1000} seconds.`);
    checkCommandLine(command);
    const { ownMessages } = await askGame(game, command, { timeoutMs, redact });
    return plainLines(ownMessages.join('\n'));
  };
}
