import type { PlayerActionRequest } from '../../shared/domain/players/player-action.ts';
import { NO_ANSWER } from '../../shared/domain/players/player-answer.ts';
import type { PlayerList } from '../../shared/domain/players/player-list.ts';
import { isShownName } from '../../shared/domain/players/player-name.ts';
import { softwareOf } from '../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { ActionResponse, Player } from '../../shared/schema/answers.ts';
import type { Gamerule, SetGamerules } from '../../shared/schema/gamerules.ts';
import type { AddedPlayers, AllowedPlayer, Ban, Operator, SeenPlayer } from '../../shared/schema/player-lists.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import { type Supervisors, WITH_GAMERULES, WITH_PLAYERS } from '../upstream/supervisors.ts';

export interface GameServerService {
  /** Resolves to the redacted answer. */
  command(id: string, line: string): Promise<string>;
  /** Oldest first, without colour codes, redacted. Works while the server is stopped. Ends when `signal` fires. */
  logs(id: string, query: { lines: number; contains?: string | undefined }, signal: AbortSignal): Promise<string[]>;
  players(id: string): Promise<Player[]>;
  /** Reads the server's own file. Works while the server is stopped. */
  listedPlayers(id: string, list: PlayerList): Promise<(Ban & Operator & AllowedPlayer)[]>;
  /** Who was on the server. Works while it is stopped. */
  seenPlayers(id: string): Promise<SeenPlayer[]>;
  /** Adds each of these players to the allowlist. */
  allowPlayers(id: string, names: readonly string[]): Promise<AddedPlayers>;
  playerAction(id: string, request: PlayerActionRequest): Promise<ActionResponse>;
  /** Throws `invalid_state` unless the server runs. */
  gamerules(id: string): Promise<Gamerule[]>;
  /** Resolves to the rules with the values that the game reports. */
  setGamerules(id: string, rules: SetGamerules['rules']): Promise<Gamerule[]>;
}

/** Commands and game rules may take minutes (flushing a large world). The supervisor's own limit is lower and its error says more. */
const COMMAND_TIMEOUT_MS = 150_000;

/** A full log takes about a second, and others may be searching it. */
const SEARCH_TIMEOUT_MS = 30_000;

export function createGameServerService({
  view,
  supervisors,
}: {
  view: InstanceView;
  supervisors: Supervisors;
}): GameServerService {
  return {
    async command(id, line) {
      const supervisor = await supervisors.of(id);
      return supervisor.command(line, { timeoutMs: COMMAND_TIMEOUT_MS });
    },
    logs(id, { lines, contains }, signal) {
      if (contains === undefined) return supervisors.ask(id, (supervisor) => supervisor.logs({ lines }, { signal }));
      const options = { signal, timeoutMs: SEARCH_TIMEOUT_MS };
      return supervisors.ask(id, (supervisor) => supervisor.logs({ lines, contains }, options));
    },
    players: (id) => supervisors.ask(id, (supervisor) => supervisor.players()),
    listedPlayers: (id, list) => supervisors.ask(id, (supervisor) => supervisor.listedPlayers(list)),
    seenPlayers: (id) => supervisors.ask(id, (supervisor) => supervisor.seenPlayers(), WITH_PLAYERS),
    async allowPlayers(id, names) {
      const supervisor = await supervisors.of(id, WITH_PLAYERS);
      return supervisor.allowPlayers(names, { timeoutMs: COMMAND_TIMEOUT_MS });
    },
    async playerAction(id, request) {
      const { name, action, durationSeconds, level } = request;
      const { config } = await view.get(id);
      // Custom software is not known here: the wider rule applies, and the supervisor checks again.
      const kind = softwareOf(config.software) ?? { edition: 'bedrock', players: 'unknown' };
      if (!isShownName(name, kind))
        throw new GamekeeperError(
          'invalid_request',
          `Path: "name": ${JSON.stringify(name)} is not a valid player name.`,
          {
            resolution:
              kind.players === undefined
                ? 'Player names have 1 to 16 letters, digits or underscores.'
                : 'Player names are one line of at most 64 characters.',
          },
        );
      if (durationSeconds !== undefined && action !== 'ban')
        throw new GamekeeperError('invalid_request', 'durationSeconds: only a ban has a duration.');
      if (level !== undefined && action !== 'op')
        throw new GamekeeperError('invalid_request', 'level: only an operator has a level.');
      const isNew = durationSeconds !== undefined || level !== undefined;
      const supervisor = await supervisors.of(id, isNew ? WITH_PLAYERS : undefined);
      const answer = await supervisor.playerAction(request, { timeoutMs: COMMAND_TIMEOUT_MS });
      return { success: true, message: answer.trim() || NO_ANSWER };
    },
    gamerules: (id) =>
      supervisors.ask(
        id,
        (supervisor) => supervisor.gamerules(undefined, { timeoutMs: COMMAND_TIMEOUT_MS }),
        WITH_GAMERULES,
      ),
    async setGamerules(id, rules) {
      const supervisor = await supervisors.of(id, WITH_GAMERULES);
      return supervisor.setGamerules(rules, { timeoutMs: COMMAND_TIMEOUT_MS });
    },
  };
}
