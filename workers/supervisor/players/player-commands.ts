import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import type { PlayerActionRequest } from '../../../shared/domain/players/player-action.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { AddedPlayers } from '../../../shared/schema/player-lists.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { Answer } from '../game/ask-game.ts';
import type { GameProcess } from '../game/game-process.ts';
import { type GameRules, mayBeAnyGame, rulesOf } from '../game/game-rules.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { actOverManagement } from '../management/act-on-player.ts';
import { ManagementError } from '../management/management-error.ts';
import type { BanEnds } from './bans/ban-ends.ts';
import { allowInFile, changeListFile, isListAction } from './lists/change-lists.ts';
import { tryEach } from './lists/try-each.ts';
import { checkUnknownAnswer, checkUnknownLines } from './other-words.ts';
import { plainReason } from './plain-reason.ts';
import { confirmationIn, playerCommand, type Target } from './player-actions.ts';
import { askNames } from './player-list.ts';

/** For beginning to add each player of a list, and for the command of the last one. The gateway waits longer than both. Milliseconds. */
const ADD_WITHIN_MS = 60_000;
const ADD_ONE_WITHIN_MS = 60_000;

export interface PlayerCommandsOptions {
  settings: InstanceSettings;
  lifecycle: Lifecycle;
  console: Pick<ConsoleLog, 'redact'>;
  banEnds: BanEnds;
  /** Returns who is online as far as the console and the server list ping show it, or `undefined` if that cannot be everybody. */
  knownPlayers: () => readonly string[] | undefined;
  /** Returns true if the running game has answered a server list ping, or has printed in Minecraft's words that a player joined. */
  seemsMinecraft: () => boolean;
  /** Throws `invalid_state` while there is no process. */
  requireGame: () => { game: GameProcess; rules: GameRules };
  /** Sends a command and returns its answer. `timeoutMs` replaces the usual timeout. */
  ask: (game: GameProcess, line: string, timeoutMs?: number) => Promise<Answer>;
}

/** The part of a supervisor's contract that acts on players. */
export type PlayerCommands = Pick<SupervisorService, 'playerAction' | 'allowPlayers'>;

export function createPlayerCommands(options: PlayerCommandsOptions): PlayerCommands {
  const { settings, lifecycle, console, banEnds, knownPlayers, seemsMinecraft, requireGame, ask } = options;
  const target = (): Target => ({
    definition: rulesOf(settings.current).definition,
    version: settings.current.version,
  });

  let isAddingPlayers = false;

  /** Carries out an action. `isEndKept`: of a temporary ban, which the server itself does not end. */
  async function act(
    request: PlayerActionRequest,
    timeoutMs?: number,
  ): Promise<{ answer: string; isEndKept: boolean }> {
    const command = playerCommand(request, target());
    const { action } = request;
    if (!lifecycle.game && isListAction(action, target())) {
      const answer = await lifecycle.whileStopped(() => changeListFile({ ...request, action }, settings.current));
      return { answer, isEndKept: false };
    }
    const { game, rules } = requireGame();
    const managed = await actByManagement(game, request);
    if (managed !== undefined) return { answer: console.redact(managed), isEndKept: false };
    if (request.durationSeconds !== undefined) assertCanEnd(request.name);
    if (request.level !== undefined) throw noLevel();
    const { definition } = rules;
    if (mayBeAnyGame(definition, game) && !seemsMinecraft()) throw unknownCommands(request);
    const send = () => sendCommand(request, { game, definition, command, timeoutMs });
    const { name, durationSeconds } = request;
    if (durationSeconds === undefined) return { answer: await send(), isEndKept: false };
    return { answer: await keepingEnd({ name, durationSeconds }, send), isEndKept: true };
  }

  /** Returns the answer to an action's command. Throws `player_not_found` or `command_rejected`, and as `ask` does. */
  async function sendCommand(
    request: PlayerActionRequest,
    { game, definition, command, timeoutMs }: SendOptions,
  ): Promise<string> {
    // Before the kick: afterwards nobody of that name is online in any case.
    const isKick = request.action === 'kick';
    const listed = isKick && game.rcon ? await askNames(game.rcon, definition) : undefined;
    const known = knownPlayers();
    const { via, messages: answer, ownMessages: lines } = await ask(game, command, timeoutMs);
    const confirmation = confirmationIn(answer, request, definition);
    const where = { definition, folder: settings.current.directory };
    if (confirmation === undefined) {
      if (via === 'rcon') await checkUnknownAnswer(request, { ...where, answer, online: listed });
      else await checkUnknownLines(request, { ...where, lines, online: known });
    }
    // Other lines of the console may be about anything.
    return via === 'rcon' ? answer : (confirmation ?? '');
  }

  /** Sends a temporary ban. Its end is kept before, so that it is not lost with this supervisor, and again when it begins. */
  async function keepingEnd(
    { name, durationSeconds }: { name: string; durationSeconds: number },
    send: () => Promise<string>,
  ): Promise<string> {
    const keep = () => banEnds.set({ name, bannedAt: Date.now(), endsAt: endOf(durationSeconds) });
    const before = banEnds.of(name);
    await keep();
    try {
      const answer = await send();
      await keep();
      return answer;
    } catch (error) {
      if (isGamekeeperError(error, 'command_rejected', 'player_not_found'))
        await (before ? banEnds.set(before) : banEnds.forget(name));
      throw error;
    }
  }

  async function playerAction(request: PlayerActionRequest, timeoutMs?: number): Promise<string> {
    const { name, action } = request;
    const { answer, isEndKept } = await act(request, timeoutMs);
    if (!isEndKept && (action === 'ban' || action === 'pardon')) await banEnds.forget(name);
    return answer;
  }

  /** Throws `invalid_request` if the server has no command to end a ban, and `invalid_state` if there are too many. */
  function assertCanEnd(name: string): void {
    playerCommand({ name, action: 'pardon' }, target());
    banEnds.assertSpace();
  }

  /** Throws `command_rejected` as well if the server did not answer. */
  async function allow(name: string): Promise<void> {
    const answer = await playerAction({ name, action: 'whitelist' }, ADD_ONE_WITHIN_MS);
    if (answer === '') throw new GamekeeperError('command_rejected', 'The server did not report whether it worked.');
  }

  function allowAll(names: readonly string[]): Promise<AddedPlayers> {
    if (lifecycle.game || !isListAction('whitelist', target()))
      return tryEach(names, { add: allow, withinMs: ADD_WITHIN_MS });
    return lifecycle.whileStopped(() => allowInFile(names, settings.current));
  }

  return {
    playerAction: (request) => playerAction(request),
    async allowPlayers(names) {
      if (isAddingPlayers)
        throw new GamekeeperError('already_in_progress', 'Other players are being added to the allowlist.');
      isAddingPlayers = true;
      try {
        return await allowAll(names);
      } finally {
        isAddingPlayers = false;
      }
    },
  };
}

interface SendOptions {
  game: GameProcess;
  definition: SoftwareDefinition;
  command: string;
  timeoutMs: number | undefined;
}

function noLevel(): GamekeeperError {
  return new GamekeeperError('invalid_state', 'The command of the running server takes no operator level.', {
    resolution: 'Stop the server first, or leave out the level: the server then gives its op-permission-level.',
  });
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
  { name, action, reason = '', durationSeconds, level }: PlayerActionRequest,
): Promise<string | undefined> {
  const endsAt = durationSeconds === undefined ? undefined : endOf(durationSeconds);
  try {
    return await actOverManagement(management, { name, action, reason: plainReason(reason), endsAt, level });
  } catch (error) {
    if (!(error instanceof ManagementError)) throw error;
    if (error.reason !== 'no-answer') return undefined;
    throw new GamekeeperError('rcon_unavailable', `${error.message}.`, { cause: error });
  }
}

/** Milliseconds since the epoch. */
function endOf(durationSeconds: number): number {
  return Date.now() + durationSeconds * 1000;
}
