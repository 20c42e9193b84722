import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerStatus } from '../../../shared/node/list-ping/status.ts';
import { openStatusServer, type StatusServer } from '../../../shared/node/list-ping/status-server.ts';
import type { Game } from '../commands/command.ts';
import { dispatch } from '../commands/dispatcher.ts';
import { consoleSource } from '../commands/source.ts';
import type { DemoOptions } from '../configuration/options.ts';
import { type ServerProperties, storeServerProperty } from '../configuration/server-properties.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import { PROTOCOL, printBindFailure, printCrash, printReady, VERSION } from '../console/vanilla-lines.ts';
import type { ManagementServer } from '../management/management-server.ts';
import { startManagement } from '../management/start-management.ts';
import { OnlinePlayers } from '../players/online-players.ts';
import { openPlayerLists } from '../players/player-lists.ts';
import type { RconServer } from '../rcon/rcon-server.ts';
import { startRemoteControl } from '../rcon/start-rcon.ts';
import { World } from '../world/world.ts';
import { MainThread } from './main-thread.ts';

/** Generous: vanilla has none but its read timeout. */
const GAME_PORT_LIMITS = { most: 1_000, mostPerAddress: 1_000, lifetimeMs: 30_000 };
const WELCOME = 'This is a demo server: it has a console, a world and RCON, but no game to join.';
/** What was said before a freeze is out by then. Milliseconds. */
const LAST_WORDS_MS = 100;

export interface GameServerSetting {
  readonly folder: string;
  readonly options: DemoOptions;
  readonly properties: ServerProperties;
  readonly log: ConsoleLog;
  /** Ends the process; used when the server stops, crashes or cannot start. */
  readonly exit: (code: number) => void;
  readonly flood: (lines: number) => void;
  readonly now: () => Date;
  readonly random: () => number;
}

/** The game server from its start to its end. It starts port, world, management, then `Done`, then RCON. */
export class GameServer {
  readonly #setting: GameServerSetting;
  readonly #mainThread = new MainThread();
  readonly #ending = new AbortController();
  #game: Game | undefined;
  #gamePort: StatusServer | undefined;
  #rcon: RconServer | undefined;
  #management: ManagementServer | undefined;
  #ready = false;
  #stopped: Promise<void> | undefined;

  constructor(setting: GameServerSetting) {
    this.#setting = setting;
  }

  /**
   * Resolves when the server is ready, or never will be.
   *
   * @throws if the world or a list of players cannot be loaded
   */
  async start(): Promise<void> {
    const { log, options, properties } = this.#setting;
    const begun = performance.now();
    log.info(`Starting minecraft server version ${VERSION}`);
    log.info('Loading properties');
    log.info('Default game type: SURVIVAL');
    if (!(await this.#bind())) return;
    log.info(`Preparing level "${properties.levelName}"`);
    const game = await this.#mainThread.run(() => this.#load());
    this.#management = await startManagement({ ...this.#setting, mainThread: this.#mainThread, game });
    log.info('Preparing start region for dimension minecraft:overworld');
    log.info('Preparing spawn area: 0%', 'Worker-Main-1');
    if (options.faults.neverReady) return;
    await this.#pause(options.faults.readyAfterMs);
    if (this.#stopped) return;
    this.#ready = true;
    log.info(`Time elapsed: ${Math.round(performance.now() - begun)} ms`);
    printReady(log, performance.now() - begun);
    this.#rcon = await startRemoteControl({ ...this.#setting, mainThread: this.#mainThread, game });
    void this.#every(options.changeEveryMs, () => game.world.change());
    void this.#every(options.autosaveMs, () => (game.world.autosave ? game.world.save({ flush: false }) : undefined));
    this.#misbehave(game);
  }

  /** Runs a line that was typed into the console; one that comes before the world is there waits for it. */
  async command(line: string): Promise<void> {
    await this.#mainThread.run(async () => {
      const game = this.#game;
      if (game) await dispatch(line, { game, source: consoleSource(game.log) });
    });
  }

  /** Sends the players home, saves the world whatever `save-off` says, and ends the process. Asked twice, it stops once. */
  stop(exitCode: number): Promise<void> {
    this.#stopped ??= this.#mainThread.run(() => this.#stop(exitCode));
    return this.#stopped;
  }

  async #bind(): Promise<boolean> {
    const { log, properties, exit } = this.#setting;
    const { serverIp: host, serverPort: port } = properties;
    try {
      this.#gamePort = await openStatusServer({
        host: host === '' ? undefined : host,
        port,
        limits: GAME_PORT_LIMITS,
        status: () => this.#status(),
        onLogin: () => ({ message: WELCOME }),
      });
    } catch (error) {
      printBindFailure(log, error);
      exit(1);
      return false;
    }
    log.info(`Starting Minecraft server on ${host === '' ? '*' : host}:${this.#gamePort.port}`);
    return true;
  }

  async #load(): Promise<Game> {
    const { folder, log, options, properties, exit, flood, now, random } = this.#setting;
    const world = await World.open({
      folder: join(folder, properties.levelName),
      levelSeed: properties.levelSeed,
      megabytes: options.worldMb,
      slowSaveMs: options.faults.slowSaveMs,
      now: () => now().getTime(),
      random,
      onProblem: (message) => log.error(message),
    });
    const lists = await openPlayerLists(folder);
    const { maxPlayers, whiteList: whitelistEnforced, onlineMode } = properties;
    const players = new OnlinePlayers({ log, lists, maxPlayers, whitelistEnforced, onlineMode });
    this.#game = {
      log,
      world,
      lists,
      players,
      now,
      flood,
      tickTimes: () => this.#mainThread.ticks.at(performance.now()),
      lag: (ms) => {
        this.#mainThread.ticks.lagMs = ms;
      },
      requestStop: () => void this.stop(0),
      setWhitelistEnforced: async (enforced) => {
        players.whitelistEnforced = enforced;
        await storeServerProperty(join(folder, 'server.properties'), 'white-list', String(enforced));
      },
      hang: () => this.#mainThread.jam(),
      freeze: () => void setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), LAST_WORDS_MS),
      crash: () => {
        printCrash(log);
        exit(1);
      },
    };
    return this.#game;
  }

  /** What the server list is told: nothing before the server is ready, as in vanilla. */
  #status(): ServerStatus | undefined {
    const { enableStatus, hideOnlinePlayers, motd } = this.#setting.properties;
    const players = this.#game?.players;
    if (!enableStatus || !players || !this.#ready) return undefined;
    const sample = hideOnlinePlayers ? [] : players.all;
    return { version: VERSION, protocol: PROTOCOL, motd, max: players.maxPlayers, online: players.all.length, sample };
  }

  #misbehave(game: Game): void {
    const { hang, crashAfterMs, floodLines } = this.#setting.options.faults;
    if (crashAfterMs !== undefined) void this.#pause(crashAfterMs).then(() => this.#stopped ?? game.crash());
    if (floodLines !== undefined) game.flood(floodLines);
    if (hang) game.hang();
  }

  /** Repeats a task on the main thread, never twice at a time, until the server ends. */
  async #every(ms: number, task: () => void | Promise<void>): Promise<void> {
    for (;;) {
      await this.#pause(ms);
      if (this.#stopped) return;
      // The only task that fails is a save, and the world has told the log.
      await this.#mainThread.run(task).catch(() => {});
    }
  }

  /** A pause that the end of the server cuts short. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => {});
  }

  async #stop(exitCode: number): Promise<void> {
    const { log, exit } = this.#setting;
    this.#ending.abort();
    log.info('Stopping server');
    log.info('Saving players');
    for (const { name } of this.#game?.players.all ?? []) this.#game?.players.leave(name, 'Server closed');
    log.info('Saving worlds');
    try {
      await this.#game?.world.close();
      log.info('ThreadedAnvilChunkStorage: All dimensions are saved');
    } catch {
      // The world has told the log why; a server that cannot save must still end.
      log.error('Exception stopping the server');
    }
    this.#management?.close();
    this.#rcon?.close();
    await this.#gamePort?.close();
    exit(exitCode);
  }
}
