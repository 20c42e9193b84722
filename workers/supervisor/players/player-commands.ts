import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import type { PlayerActionRequest } from '../../../shared/domain/players/player-action.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { Answer } from '../game/ask-game.ts';
import type { GameProcess } from '../game/game-process.ts';
import { type GameRules, mayBeAnyGame, rulesOf } from '../game/game-rules.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { actOverManagement } from '../management/act-on-player.ts';
import { ManagementError } from '../management/management-error.ts';
import type { BanEnds } from './ban-ends.ts';
import { allowInFile, changeListFile, isListAction } from './change-lists.ts';
import { checkUnknownAnswer, checkUnknownLines } from './other-words.ts';
import { plainReason } from './plain-reason.ts';
import { confirmationIn, playerCommand, type Target } from './player-actions.ts';
import { askNames } from './player-list.ts';
import { tryEach } from './try-each.ts';

/** For all players of a list. The gateway waits longer. Milliseconds. */
const ADD_WITHIN_MS = 60_000;

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
  /** Sends a command and returns its answer. */
  ask: (game: GameProcess, line: string) => Promise<Answer>;
}

/** The part of a supervisor's contract that acts on players. */
export type PlayerCommands = Pick<SupervisorService, 'playerAction' | 'allowPlayers'>;

export function createPlayerCommands(options: PlayerCommandsOptions): PlayerCommands {
  const { settings, lifecycle, console, banEnds, knownPlayers, seemsMinecraft, requireGame, ask } = options;
  const target = (): Target => ({
    definition: rulesOf(settings.current).definition,
    version: settings.current.version,
  });

  /** Carries out an action. `isEndKnown`: the server itself ends a temporary ban. */
  async function act(request: PlayerActionRequest): Promise<{ answer: string; isEndKnown: boolean }> {
    const command = playerCommand(request, target());
    const { action } = request;
    if (!lifecycle.game && isListAction(action, target())) {
      const answer = await lifecycle.whileStopped(() => changeListFile({ ...request, action }, settings.current));
      return { answer, isEndKnown: true };
    }
    const { game, rules } = requireGame();
    const managed = await actByManagement(game, request);
    if (managed !== undefined) return { answer: console.redact(managed), isEndKnown: true };
    if (request.durationSeconds !== undefined) assertCanEnd(request.name);
    if (request.level !== undefined) throw noLevel();
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
    return { answer: via === 'rcon' ? answer : (confirmation ?? ''), isEndKnown: false };
  }

  async function playerAction(request: PlayerActionRequest): Promise<string> {
    const { name, action, durationSeconds } = request;
    const { answer, isEndKnown } = await act(request);
    if (action === 'ban' && durationSeconds !== undefined && !isEndKnown)
      await banEnds.set({ name, bannedAt: Date.now(), endsAt: endOf(durationSeconds) });
    else if (action === 'ban' || action === 'pardon') await banEnds.forget(name);
    return answer;
  }

  /** Throws `invalid_request` if the server has no command to end a ban, and `invalid_state` if there are too many. */
  function assertCanEnd(name: string): void {
    playerCommand({ name, action: 'pardon' }, target());
    banEnds.assertSpace();
  }

  return {
    playerAction,
    async allowPlayers(names) {
      if (lifecycle.game || !isListAction('whitelist', target()))
        return tryEach(names, {
          add: (name) => playerAction({ name, action: 'whitelist' }),
          withinMs: ADD_WITHIN_MS,
        });
      return lifecycle.whileStopped(() => allowInFile(names, settings.current));
    },
  };
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
