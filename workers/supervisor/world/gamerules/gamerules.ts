import type { SupervisorService } from '../../../../shared/contract/supervisor.ts';
import { isBelow } from '../../../../shared/domain/software/minecraft-version.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { LimitedTurns } from '../../../../shared/node/primitives/limited-turns.ts';
import type { ConsoleLog } from '../../console/console-log.ts';
import type { GameProcess } from '../../game/game-process.ts';
import { type Ask, askWithin } from './ask-within.ts';
import { KeptReading } from './kept-reading.ts';
import { readGamerules } from './read-gamerules.ts';
import { type RequireGameOptions, requireGame } from './require-game.ts';
import { requireWithinLimits, setGamerules } from './set-gamerules.ts';

/**
 * For all commands of a request: a busy console takes two seconds for each. A request waits as long for those before it at most. The gateway
 * waits longer than both together. Milliseconds.
 */
const WITHIN_MS = 60_000;
/** Limits what those who may only read can make the game do. Milliseconds. */
const KEEP_MS = 10_000;

/** The first version of Minecraft with `execute in`. Before, also on Bukkit's servers, `gamerule` is only for the first world. */
const EXECUTE_IN_SINCE = '1.13';

export interface GamerulesOptions extends RequireGameOptions {
  console: Pick<ConsoleLog, 'redact'>;
  /** Returns the version of the running game. */
  runningVersion: () => string;
}

/** The part of a supervisor's contract that reads and sets the game rules of the running game. */
export type Gamerules = Pick<SupervisorService, 'gamerules' | 'setGamerules'>;

export function createGamerules(options: GamerulesOptions): Gamerules {
  const { lifecycle, console, runningVersion } = options;
  const turns = new LimitedTurns({ mostWaiting: 16, what: 'requests for game rules' });
  const kept = new KeptReading({ keepMs: KEEP_MS });

  /** Runs a request when it is its turn, with its own time. Throws `rcon_unavailable` if it waits too long. */
  function inTurn<T>(game: GameProcess, request: (ask: Ask) => Promise<T>): Promise<T> {
    const latest = performance.now() + WITHIN_MS;
    return turns.run(async () => {
      if (performance.now() > latest)
        throw new GamekeeperError('rcon_unavailable', 'Other requests for game rules took too long.');
      const ask = askWithin(game, {
        withinMs: WITHIN_MS,
        isRunning: () => lifecycle.game === game,
        redact: (text) => console.redact(text),
      });
      return request(ask);
    });
  }

  return {
    async gamerules() {
      const { game } = requireGame(options);
      return kept.of(game, () => inTurn(game, (ask) => readGamerules({ ask, version: runningVersion() })));
    },
    async setGamerules(values) {
      const { game, rule } = requireGame(options);
      requireWithinLimits(values);
      return inTurn(game, async (ask) => {
        // Later readings wait for this turn.
        kept.forget();
        const worlds = isBelow(runningVersion(), EXECUTE_IN_SINCE) ? [] : rule.otherWorlds;
        return setGamerules(values, { ask, worlds });
      });
    },
  };
}
