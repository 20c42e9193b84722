import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import {
  GAMERULES,
  type KnownGamerule,
  knownGamerule,
  namesIn,
} from '../../../shared/domain/properties/known-gamerules.ts';
import { takesMinecraftCommands } from '../../../shared/domain/software/admin-channel.ts';
import type { GamerulesRule } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { LimitedTurns } from '../../../shared/node/primitives/limited-turns.ts';
import type { Gamerule, GameruleValue } from '../../../shared/schema/gamerules.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import { askGame, plainLines } from '../game/ask-game.ts';
import { checkCommandLine } from '../game/game-commands.ts';
import type { GameProcess } from '../game/game-process.ts';
import { mayBeAnyGame, rulesOf } from '../game/game-rules.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { gameruleIn, refusalIn } from './gamerule-answer.ts';

/** For all commands of a request, with its waiting for others. The gateway waits longer. Milliseconds. */
const WITHIN_MS = 25_000;
/** The command needs no world, so a server that takes longer is stuck. Milliseconds. */
const ANSWER_WITHIN_MS = 5_000;

/** A world that is turned off, such as the Nether. */
const NO_WORLD = /^Unknown dimension '/;

export interface GamerulesOptions {
  settings: Pick<InstanceSettings, 'current'>;
  lifecycle: Pick<Lifecycle, 'game' | 'rules' | 'phase'>;
  console: Pick<ConsoleLog, 'redact'>;
  /** Returns true if the running game has shown that it is a Minecraft server. */
  seemsMinecraft: () => boolean;
  /** Returns the version of the running game. */
  runningVersion: () => string;
}

/** The part of a supervisor's contract that reads and sets the game rules of the running game. */
export type Gamerules = Pick<SupervisorService, 'gamerules' | 'setGamerules'>;

/** Sends a command and returns the lines of the answer, without colours. */
type Ask = (command: string) => Promise<readonly string[]>;

export function createGamerules(options: GamerulesOptions): Gamerules {
  const { settings, lifecycle, console, seemsMinecraft, runningVersion } = options;
  const turns = new LimitedTurns({ mostWaiting: 16, what: 'requests for game rules' });
  /** What those who ask meanwhile get as well: it takes about twenty commands. */
  let reading: Promise<Gamerule[]> | undefined;

  /** Throws `invalid_request` for software without game rules, and `invalid_state` unless the server runs and is known to be Minecraft. */
  function requireGame(): { game: GameProcess; rule: GamerulesRule } {
    const { game, rules, phase } = lifecycle;
    const { definition } = rules ?? rulesOf(settings.current);
    const { gamerules: rule, title } = definition;
    if (!rule || !takesMinecraftCommands(definition))
      throw new GamekeeperError('invalid_request', `${title} has no game rules.`, {
        resolution: 'Only servers of Minecraft: Java Edition have them.',
      });
    if (!game || phase !== 'running')
      throw new GamekeeperError(
        'invalid_state',
        `The server is ${phase}. Game rules are part of its world, and only the running game reads and sets them.`,
        { resolution: 'Start the server first.' },
      );
    if (mayBeAnyGame(definition, game) && !seemsMinecraft())
      throw new GamekeeperError(
        'invalid_state',
        'Game rules cannot be read or set, because this server has not shown that it is a Minecraft server.',
        { resolution: "Type the game's own command into the console." },
      );
    return { game, rule };
  }

  /** Returns how to send the commands of one request to a game. It throws `rcon_unavailable` after their time, and as `askGame` does. */
  function askerOf(game: GameProcess): Ask {
    const deadline = performance.now() + WITHIN_MS;
    return async (command) => {
      if (lifecycle.game !== game)
        throw new GamekeeperError('invalid_state', 'The server has stopped.', {
          resolution: 'Start the server first.',
        });
      const timeoutMs = Math.min(ANSWER_WITHIN_MS, Math.round(deadline - performance.now()));
      if (timeoutMs <= 0)
        throw new GamekeeperError('rcon_unavailable', `The server did not answer within ${WITHIN_MS / 1000} seconds.`);
      checkCommandLine(command);
      const { ownMessages } = await askGame(game, command, { timeoutMs, redact: (text) => console.redact(text) });
      return plainLines(ownMessages.join('\n'));
    };
  }

  async function readAll(): Promise<Gamerule[]> {
    const ask = askerOf(requireGame().game);
    return turns.run(async () => {
      const found: Gamerule[] = [];
      for (const rule of GAMERULES) {
        const read = await readOne(rule, { ask, version: runningVersion() });
        if (read) found.push(read);
      }
      return found;
    });
  }

  return {
    async gamerules() {
      reading ??= readAll().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    async setGamerules(values) {
      const { game, rule } = requireGame();
      const ask = askerOf(game);
      return turns.run(async () => {
        const set: Gamerule[] = [];
        for (const [name, value] of Object.entries(values))
          set.push(await setOne({ name, value }, { ask, worlds: rule.otherWorlds }));
        return set;
      });
    },
  };
}

/** Returns `undefined` for a rule that the game does not know. */
async function readOne(
  rule: KnownGamerule,
  { ask, version }: { ask: Ask; version: string },
): Promise<Gamerule | undefined> {
  for (const name of namesIn(rule, version)) {
    const value = gameruleIn(await ask(`gamerule ${name}`), name);
    if (value !== undefined) return toGamerule(name, value);
  }
  return undefined;
}

/** Returns the rule with the value that the game reports for its first world. Throws `command_rejected` with the game's own words. */
async function setOne(
  { name, value }: { name: string; value: GameruleValue },
  { ask, worlds }: { ask: Ask; worlds: readonly string[] },
): Promise<Gamerule> {
  const command = `gamerule ${name} ${value}`;
  const present = requireSet(await ask(command), { name, command });
  for (const world of worlds) {
    const inWorld = `execute in ${world} run ${command}`;
    const lines = await ask(inWorld);
    if (!lines.some((line) => NO_WORLD.test(line))) requireSet(lines, { name, command: inWorld });
  }
  return toGamerule(name, present);
}

function requireSet(lines: readonly string[], { name, command }: { name: string; command: string }): GameruleValue {
  const value = gameruleIn(lines, name);
  if (value !== undefined) return value;
  const words = refusalIn(lines, command) || 'The server did not report whether it worked.';
  throw new GamekeeperError('command_rejected', `${name}: ${words}`);
}

function toGamerule(name: string, value: GameruleValue): Gamerule {
  const known = knownGamerule(name);
  return {
    name,
    key: known?.name ?? name,
    known: known !== undefined,
    type: typeof value === 'boolean' ? 'boolean' : 'integer',
    value,
    ...(known?.minimum !== undefined && { minimum: known.minimum }),
    ...(known && { description: known.description }),
  };
}
