import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerStatus } from '../../../shared/node/list-ping/status.ts';
import { openStatusServer, type StatusServer } from '../../../shared/node/list-ping/status-server.ts';
import type { Game } from '../commands/command.ts';
import { dispatch } from '../commands/dispatcher.ts';
import { createConsoleSource } from '../commands/source.ts';
import { PROTOCOL, printBindFailure, printReady, VERSION } from '../console/vanilla-lines.ts';
import type { ManagementServer } from '../management/management-server.ts';
import { startManagement } from '../management/start-management.ts';
import type { RconServer } from '../rcon/rcon-server.ts';
import { startRcon } from '../rcon/start-rcon.ts';
import type { GameServerOptions } from './game-server-options.ts';
import { loadGame } from './load-game.ts';
import { MainThread } from './main-thread.ts';

/** Generous: vanilla has only its read timeout. */
const GAME_PORT_LIMITS = { most: 1_000, mostPerAddress: 1_000, lifetimeMs: 30_000 };
const WELCOME = 'This is a demo server: it has a console, a world and RCON, but no game to join.';

/** The server from start to end. Starts the game port, the world and the management server, prints `Done`, then starts RCON. */
export class GameServer {
  readonly #options: GameServerOptions;
  readonly #mainThread = new MainThread();
  readonly #ending = new AbortController();
  #game: Game | undefined;
  #gamePort: StatusServer | undefined;
  #rcon: RconServer | undefined;
  #management: ManagementServer | undefined;
  #ready = false;
  #stopped: Promise<void> | undefined;

  constructor(options: GameServerOptions) {
    this.#options = options;
  }

  /** Resolves when the server is ready or has failed to start. Throws if the world or a list of players cannot be loaded. */
  async start(): Promise<void> {
    const { log, options, properties } = this.#options;
    const begun = performance.now();
    log.info(`Starting minecraft server version ${VERSION}`);
    log.info('Loading properties');
    log.info('Default game type: SURVIVAL');
    if (!(await this.#bind())) return;
    log.info(`Preparing level "${properties.levelName}"`);
    const game = await this.#load();
    this.#management = await startManagement({ ...this.#options, mainThread: this.#mainThread, game });
    log.info('Preparing start region for dimension minecraft:overworld');
    log.info('Preparing spawn area: 0%', 'Worker-Main-1');
    if (options.faults.neverReady) return;
    await this.#pause(options.faults.readyAfterMs);
    if (this.#stopped) return;
    this.#ready = true;
    log.info(`Time elapsed: ${Math.round(performance.now() - begun)} ms`);
    printReady(log, performance.now() - begun);
    this.#rcon = await startRcon({ ...this.#options, mainThread: this.#mainThread, game });
    void this.#every(options.changeEveryMs, () => game.world.change());
    void this.#every(options.autosaveMs, () => (game.world.autosave ? game.world.save({ flush: false }) : undefined));
    this.#misbehave(game);
  }

  /** Runs a line from the console. A line that arrives before the world is loaded waits. */
  async command(line: string): Promise<void> {
    await this.#mainThread.run(async () => {
      const game = this.#game;
      if (game) await dispatch(line, { game, source: createConsoleSource(game.log) });
    });
  }

  /** Disconnects the players, saves the world even after `save-off`, and ends the process. A second call has no effect. */
  stop(exitCode: number): Promise<void> {
    this.#stopped ??= this.#mainThread.run(() => this.#stop(exitCode));
    return this.#stopped;
  }

  async #bind(): Promise<boolean> {
    const { log, properties, exit } = this.#options;
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

  #load(): Promise<Game> {
    return this.#mainThread.run(async () => {
      const requestStop = () => void this.stop(0);
      this.#game = await loadGame({ ...this.#options, mainThread: this.#mainThread, requestStop });
      return this.#game;
    });
  }

  /** Returns the status for the server list; none before the server is ready, as in vanilla. */
  #status(): ServerStatus | undefined {
    const { enableStatus, hideOnlinePlayers } = this.#options.properties;
    if (!enableStatus || !this.#game || !this.#ready) return undefined;
    const { players, settings } = this.#game;
    const sample = hideOnlinePlayers ? [] : players.all;
    return {
      version: VERSION,
      protocol: PROTOCOL,
      motd: settings.motd,
      max: players.maxPlayers,
      online: players.all.length,
      sample,
    };
  }

  #misbehave(game: Game): void {
    const { hang, crashAfterMs, floodLines } = this.#options.options.faults;
    if (crashAfterMs !== undefined) void this.#pause(crashAfterMs).then(() => this.#stopped ?? game.crash());
    if (floodLines !== undefined) game.flood(floodLines);
    if (hang) game.hang();
  }

  /** Repeats a task on the main thread, one run at a time, until the server ends. */
  async #every(ms: number, task: () => void | Promise<void>): Promise<void> {
    for (;;) {
      await this.#pause(ms);
      if (this.#stopped) return;
      // Only a save can fail, and the world logs that.
      await this.#mainThread.run(task).catch(() => {});
    }
  }

  /** Waits for a time, or until the server ends. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => {});
  }

  async #stop(exitCode: number): Promise<void> {
    const { log, exit } = this.#options;
    this.#ending.abort();
    log.info('Stopping server');
    log.info('Saving players');
    for (const { name } of this.#game?.players.all ?? []) this.#game?.players.leave(name, 'Server closed');
    log.info('Saving worlds');
    try {
      await this.#game?.world.close();
      log.info('ThreadedAnvilChunkStorage: All dimensions are saved');
    } catch {
      // The world has logged why. The server must end anyway.
      log.error('Exception stopping the server');
    }
    this.#management?.close();
    this.#rcon?.close();
    await this.#gamePort?.close();
    exit(exitCode);
  }
}
