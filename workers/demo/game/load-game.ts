import { join } from 'node:path';
import type { Game } from '../commands/command.ts';
import { storeServerProperty } from '../configuration/server-properties.ts';
import { printCrash } from '../console/vanilla-lines.ts';
import { OnlinePlayers } from '../players/online-players.ts';
import { openPlayerLists } from '../players/player-lists.ts';
import { World } from '../world/world.ts';
import type { GameServerOptions } from './game-server-options.ts';
import type { MainThread } from './main-thread.ts';

/** Time to print earlier output before a freeze, milliseconds. */
const LAST_OUTPUT_MS = 100;

interface LoadGameOptions extends GameServerOptions {
  readonly mainThread: MainThread;
  readonly requestStop: () => void;
}

/** Loads the world and the player lists, and returns what commands act on. Throws if the world or a list cannot be loaded. */
export async function loadGame(load: LoadGameOptions): Promise<Game> {
  const { folder, log, options, properties, exit, flood, mainThread, requestStop } = load;
  const world = await World.open({
    folder: join(folder, properties.levelName),
    levelSeed: properties.levelSeed,
    megabytes: options.worldMb,
    slowSaveMs: options.faults.slowSaveMs,
    onProblem: (message) => log.error(message),
  });
  const lists = await openPlayerLists(folder);
  const { maxPlayers, whiteList: whitelistEnforced, onlineMode } = properties;
  const players = new OnlinePlayers({ log, lists, maxPlayers, whitelistEnforced, onlineMode });
  return {
    log,
    world,
    lists,
    players,
    flood,
    requestStop,
    tickTimes: () => mainThread.ticks.at(performance.now()),
    lag(ms) {
      mainThread.ticks.lagMs = ms;
    },
    settings: { difficulty: properties.difficulty, gameMode: properties.gameMode, motd: properties.motd },
    store: (key, value) =>
      storeServerProperty(join(folder, 'server.properties'), properties, { key, value, now: new Date() }),
    hang: () => mainThread.jam(),
    freeze: () => void setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), LAST_OUTPUT_MS),
    crash() {
      printCrash(log);
      exit(1);
    },
  };
}
