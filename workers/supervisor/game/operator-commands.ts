import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createPlayerCommands, type PlayerCommandsOptions } from '../players/player-commands.ts';
import { askGame } from './ask-game.ts';
import { checkCommandLine } from './game-commands.ts';
import type { GameProcess } from './game-process.ts';
import type { GameRules } from './game-rules.ts';

/** The timeout of a command over RCON. The slowest, a flush of a large world, can take 72 s (itzg/docker-mc-backup#220). */
const COMMAND_TIMEOUT_MS = 120_000;
/** Columns or rows. */
const LARGEST_TERMINAL = 1_000;

export type OperatorCommandsOptions = Omit<PlayerCommandsOptions, 'requireGame' | 'ask'>;

/** The part of a supervisor's contract that sends commands to the running game. */
export type OperatorCommands = Pick<
  SupervisorService,
  'command' | 'sendLine' | 'playerAction' | 'allowPlayers' | 'resize'
>;

export function createOperatorCommands(options: OperatorCommandsOptions): OperatorCommands {
  const { lifecycle, console } = options;
  /** Throws `invalid_state` while there is no process. */
  function requireGame(): { game: GameProcess; rules: GameRules } {
    const { game, rules, phase } = lifecycle;
    if (game && rules) {
      assertTakesCommands(rules);
      return { game, rules };
    }
    throw new GamekeeperError('invalid_state', `The server is ${phase}; nothing can be sent to it.`, {
      resolution: 'Start the server first.',
    });
  }

  const ask = (game: GameProcess, line: string, timeoutMs = COMMAND_TIMEOUT_MS) =>
    askGame(game, line, { timeoutMs, redact: (text) => console.redact(text) });

  return {
    async command(line) {
      checkCommandLine(line);
      return (await ask(requireGame().game, line)).text;
    },
    sendLine(line) {
      checkCommandLine(line);
      requireGame().game.type(line);
    },
    ...createPlayerCommands({ ...options, requireGame, ask }),
    resize(size) {
      if (![size.columns, size.rows].every(isTerminalSize))
        throw new GamekeeperError(
          'invalid_request',
          `columns and rows: must be whole numbers from 1 to ${LARGEST_TERMINAL}.`,
        );
      lifecycle.resize(size);
    },
  };
}

/** Throws `invalid_request` for a game that reads neither its console nor anything else. */
function assertTakesCommands({ definition: { admin, title } }: GameRules): void {
  if (admin?.type === 'none')
    throw new GamekeeperError('invalid_request', `${title} takes no commands outside of the game.`, {
      resolution: 'Use its settings file, or the commands inside the game as its administrator.',
    });
}

function isTerminalSize(size: number): boolean {
  return Number.isInteger(size) && size >= 1 && size <= LARGEST_TERMINAL;
}
