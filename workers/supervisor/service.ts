import type { SupervisorService } from '../../shared/contract/supervisor.ts';
import type { InstanceRuntime } from '../../shared/domain/runtime.ts';
import { setCustomSoftware } from '../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { ConsoleLog } from './console/console-log.ts';
import { followConsole } from './console/console-stream.ts';
import type { CrashFile } from './crash/crash-file.ts';
import type { FolderLock } from './folder/folder-lock.ts';
import type { Delivery } from './game/game-commands.ts';
import { checkCommandLine } from './game/game-commands.ts';
import type { GameProcess } from './game/game-process.ts';
import { type GameRules, rulesOf } from './game/game-rules.ts';
import { linesAfterTyping } from './game/typed-command.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import { actOverManagement } from './management/act-on-player.ts';
import { ManagementError } from './management/management-error.ts';
import { readListedPlayers } from './players/listed-players.ts';
import { plainReason } from './players/plain-reason.ts';
import { confirmationIn, type PlayerActionRequest, playerCommand } from './players/player-actions.ts';
import { listPlayers } from './players/player-list.ts';
import type { InstanceProperties } from './properties/instance-properties.ts';
import type { LatestValue } from './vitals/latest-value.ts';
import type { Observation } from './vitals/observation.ts';

/** How long a command may take over RCON. The longest, a flush of a large world, was seen to take 72 s (field-notes 3.1). */
const COMMAND_TIMEOUT_MS = 120_000;

/** Columns or rows; more is no terminal. */
const LARGEST_TERMINAL = 1_000;

/** The parts of a supervisor, which `supervisor.ts` makes and ties together. */
export interface ServiceParts {
  config: () => InstanceConfig;
  configure: SupervisorService['configure'];
  stats: SupervisorService['stats'];
  runtime: LatestValue<InstanceRuntime>;
  lifecycle: Lifecycle;
  /** Runs what starts the game, and leaves nothing leased where it fails. */
  begin: (operation: () => Promise<void>) => Promise<void>;
  properties: Pick<InstanceProperties, 'read' | 'change'>;
  observation: Observation;
  hold: FolderLock;
  console: ConsoleLog;
  crashes: CrashFile;
  retire: SupervisorService['retire'];
}

/** The contract of a supervisor, put onto its parts. */
export function createService(parts: ServiceParts): SupervisorService {
  const { config, runtime, lifecycle, observation, hold, console } = parts;

  /** The game and how it is handled. Throws `invalid_state` while no process exists. */
  function running(): { game: GameProcess; rules: GameRules } {
    const { game, rules, phase } = lifecycle;
    if (game && rules) return { game, rules };
    throw new GamekeeperError('invalid_state', `The server is ${phase}; nothing can be sent to it.`, {
      resolution: 'Start the server first.',
    });
  }

  /** What the server says to a command, redacted: its RCON answer, or what the console prints next, with and without log prefixes. */
  async function ask(
    game: GameProcess,
    line: string,
  ): Promise<{ via: Delivery['via']; text: string; messages: string }> {
    const delivery = await game.commands.send(line, { timeoutMs: COMMAND_TIMEOUT_MS });
    const { via } = delivery;
    if (via === 'rcon') {
      const text = console.redact(delivery.answer);
      return { via, text, messages: text };
    }
    // What was typed just now has not been read by anybody yet: nothing is missed.
    const printed = await linesAfterTyping(game, line);
    const redacted = (key: 'text' | 'message') => printed.map((one) => console.redact(one[key])).join('\n');
    return { via, text: redacted('text'), messages: redacted('message') };
  }

  /** The answer of the management protocol; `undefined`: nothing was done, and the command is to be tried. */
  async function actedOn({ management }: GameProcess, { reason = '', ...request }: PlayerActionRequest) {
    try {
      return await actOverManagement(management, { ...request, reason: plainReason(reason) });
    } catch (error) {
      if (!(error instanceof ManagementError)) throw error;
      if (error.reason !== 'no-answer') return undefined;
      throw new GamekeeperError('rcon_unavailable', `${error.message}.`, { cause: error });
    }
  }

  return {
    status: () => runtime.value,
    watch: (signal) => runtime.follow(signal),
    configure: parts.configure,
    stats: parts.stats,
    setRedaction(redaction) {
      console.setRedaction(redaction);
      console.hideSecrets(redaction.secrets ?? []);
    },

    setSoftware: setCustomSoftware,
    start: () => parts.begin(() => lifecycle.start()),
    stop: () => lifecycle.stop(),
    sleep: () => lifecycle.sleep(),
    restart: () => parts.begin(() => lifecycle.restart()),
    kill: () => lifecycle.kill(),
    retire: parts.retire,
    crashes: () => parts.crashes.all(),

    async command(line) {
      checkCommandLine(line);
      return (await ask(running().game, line)).text;
    },

    sendLine(line) {
      checkCommandLine(line);
      running().game.type(line);
    },

    resize(size) {
      if (![size.columns, size.rows].every(isTerminalSize))
        throw new GamekeeperError(
          'invalid_request',
          `columns and rows: must be whole numbers from 1 to ${LARGEST_TERMINAL}.`,
        );
      lifecycle.resize(size);
    },

    async players() {
      const { game, rules, phase } = lifecycle;
      if (!game || !rules || phase !== 'running') return [];
      return listPlayers({
        definition: rules.definition,
        folder: config().directory,
        management: game.management,
        rcon: game.rcon,
        presence: observation.presence,
        ping: observation.vitals?.ping,
      });
    },

    listedPlayers: async (list) =>
      readListedPlayers(list, { folder: config().directory, definition: rulesOf(config()).definition }),

    async playerAction(request) {
      const { version } = config();
      const command = playerCommand(request, { definition: rulesOf(config()).definition, version });
      const { game, rules } = running();
      const answer = await actedOn(game, request);
      if (answer !== undefined) return console.redact(answer);
      const { via, messages } = await ask(game, command);
      const confirmation = confirmationIn(messages, request, rules.definition);
      // What the console printed meanwhile may be about anything.
      return via === 'rcon' ? messages : (confirmation ?? '');
    },

    logs: ({ lines, contains }) =>
      contains === undefined ? console.lastLines(lines) : console.search(contains, lines),
    readConsole: (query) => console.read(query),
    console: (signal) => followConsole(console, signal),

    properties: parts.properties.read,
    setProperties: parts.properties.change,

    hold: (activity, peer) => hold.take(activity, peer),
    renew: (leaseId) => hold.renew(leaseId),
    release: (leaseId) => hold.release(leaseId),
  };
}

function isTerminalSize(size: number): boolean {
  return Number.isInteger(size) && size >= 1 && size <= LARGEST_TERMINAL;
}
