import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { actOverManagement } from '../management/act-on-player.ts';
import { ManagementError } from '../management/management-error.ts';
import { checkUnknownAnswer, checkUnknownLines } from '../players/other-words.ts';
import { plainReason } from '../players/plain-reason.ts';
import { confirmationIn, type PlayerActionRequest, playerCommand } from '../players/player-actions.ts';
import { askNames } from '../players/player-list.ts';
import { askGame } from './ask-game.ts';
import { checkCommandLine } from './game-commands.ts';
import type { GameProcess } from './game-process.ts';
import { type GameRules, mayBeAnyGame, rulesOf } from './game-rules.ts';

/** The timeout of a command over RCON. The slowest, a flush of a large world, can take 72 s (itzg/docker-mc-backup#220). */
const COMMAND_TIMEOUT_MS = 120_000;
/** Columns or rows. */
const LARGEST_TERMINAL = 1_000;

export interface OperatorCommandsOptions {
  settings: InstanceSettings;
  lifecycle: Lifecycle;
  console: Pick<ConsoleLog, 'redact'>;
  /** Returns who is online as far as the console and the server list ping show it, or `undefined` if that cannot be everybody. */
  knownPlayers: () => readonly string[] | undefined;
  /** Returns true if the running game has answered a server list ping, or has printed in Minecraft's words that a player joined. */
  seemsMinecraft: () => boolean;
}

/** The part of a supervisor's contract that sends commands to the running game. */
export type OperatorCommands = Pick<SupervisorService, 'command' | 'sendLine' | 'playerAction' | 'resize'>;

export function createOperatorCommands(options: OperatorCommandsOptions): OperatorCommands {
  const { settings, lifecycle, console, knownPlayers, seemsMinecraft } = options;
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

  const ask = (game: GameProcess, line: string) =>
    askGame(game, line, { timeoutMs: COMMAND_TIMEOUT_MS, redact: (text) => console.redact(text) });

  return {
    async command(line) {
      checkCommandLine(line);
      return (await ask(requireGame().game, line)).text;
    },
    sendLine(line) {
      checkCommandLine(line);
      requireGame().game.type(line);
    },
    async playerAction(request) {
      const { version } = settings.current;
      const command = playerCommand(request, { definition: rulesOf(settings.current).definition, version });
      const { game, rules } = requireGame();
      const managed = await actByManagement(game, request);
      if (managed !== undefined) return console.redact(managed);
      const { definition } = rules;
      if (mayBeAnyGame(definition, game) && !seemsMinecraft()) throw unknownCommands(request);
      // Before the kick: afterwards nobody of that name is online in any case.
      const isKick = request.action === 'kick';
      const listed = isKick && game.rcon ? await askNames(game.rcon, definition) : undefined;
      const known = knownPlayers();
      const { via, messages: answer, ownMessages: lines } = await ask(game, command);
      const confirmation = confirmationIn(answer, request, definition);
      const where = { definition, folder: settings.current.directory };
      if (confirmation === undefined) {
        if (via === 'rcon') await checkUnknownAnswer(request, { ...where, answer, online: listed });
        else await checkUnknownLines(request, { ...where, lines, online: known });
      }
      // Other lines of the console may be about anything.
      return via === 'rcon' ? answer : (confirmation ?? '');
    },
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

function unknownCommands({ action }: PlayerActionRequest): GamekeeperError {
  return new GamekeeperError(
    'invalid_state',
    `The command to ${action} a player is not known, because this server has not shown that it is a Minecraft server.`,
    { resolution: "Type the game's own command into the console." },
  );
}

/** Returns the answer of the management protocol, or `undefined` if it did nothing and the command must be tried. */
async function actByManagement(
  { management }: GameProcess,
  { reason = '', ...request }: PlayerActionRequest,
): Promise<string | undefined> {
  try {
    return await actOverManagement(management, { ...request, reason: plainReason(reason) });
  } catch (error) {
    if (!(error instanceof ManagementError)) throw error;
    if (error.reason !== 'no-answer') return undefined;
    throw new GamekeeperError('rcon_unavailable', `${error.message}.`, { cause: error });
  }
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
