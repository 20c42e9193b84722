import type { Activity } from '../../../shared/domain/instance/phase.ts';
import { errorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type Farewell, openStatusServer, type StatusServer } from '../../../shared/node/list-ping/status-server.ts';
import type { Player } from '../../../shared/schema/answers.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { FolderLock } from '../folder/folder-lock.ts';
import type { GameServices } from '../game/game-process.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { gameSettings } from '../properties/game-settings.ts';
import { readInstanceFile } from '../properties/instance-file.ts';
import type { PlayerCount } from '../vitals/vitals.ts';
import { type AsleepServer, asleepStatus, readFavicon } from './asleep-status.ts';
import { EmptyWatch } from './empty-watch.ts';
import { JoinCheck } from './join-check.ts';
import type { SleepingPort } from './sleeping-port.ts';

/**
 * A ping or a login takes milliseconds. Behind a tunnel all players share one address, so it gets a good share of the connections; silent
 * connections are closed after some seconds.
 */
const LIMITS = { most: 64, mostPerAddress: 16, lifetimeMs: 5_000 };
/** After a failed start, joining does not retry for this long, milliseconds. */
const FAILED_START_REST_MS = 30_000;
const MINUTE_MS = 60_000;
const BUSY: Readonly<Record<Activity, string>> = {
  'backing-up': 'is being backed up',
  restoring: 'is being restored from a backup',
  installing: 'is being changed: mods or files are being installed',
};

export interface SleeperOptions {
  settings: InstanceSettings;
  lifecycle: Lifecycle;
  port: SleepingPort;
  folderLock: Pick<FolderLock, 'activity'>;
  /** Returns who plays, from every source. */
  players: () => Promise<Player[]>;
  services: Pick<GameServices, 'console' | 'log'>;
}

/** Stops a server that is empty for long enough, and listens on its port until a player joins. */
export class Sleeper {
  readonly #options: SleeperOptions;
  readonly #empty = new EmptyWatch();
  /** True once the console has reported that the port is not available. */
  #isRefused = false;
  #lastPing: PlayerCount | undefined;
  #failedStartAt = Number.NEGATIVE_INFINITY;

  constructor(options: SleeperOptions) {
    this.#options = options;
  }

  /** Call this after each change of the lifecycle, and after a start that failed without one. */
  update(): void {
    const { port, lifecycle } = this.#options;
    port.takeBack();
    if (lifecycle.phase !== 'running') this.#empty.disturb();
    if (lifecycle.phase !== 'sleeping') void port.close();
    else port.open(() => this.#openServer());
  }

  playersChanged(): void {
    this.#empty.disturb();
  }

  /** Call this with the running server's answer to each list ping; `undefined` if there was none. */
  pinged(answer: PlayerCount | undefined): void {
    const { settings, lifecycle, folderLock } = this.#options;
    this.#lastPing = answer ?? this.#lastPing;
    const { sleepWhenEmptyMinutes: minutes } = settings.current;
    if (minutes === undefined || lifecycle.phase !== 'running') return;
    if (folderLock.activity) this.#empty.disturb();
    const emptyMs = this.#empty.observe(answer?.online, performance.now());
    if (answer && emptyMs >= minutes * MINUTE_MS) void this.#fallAsleep(minutes);
  }

  /** Call this with a new configuration, which may have another port or no sleep. A start that is under way reads it itself. */
  async reconfigured(): Promise<void> {
    const { settings, lifecycle, port } = this.#options;
    this.#empty.disturb();
    if (lifecycle.phase !== 'sleeping' || port.isYielded) return;
    if (settings.current.sleepWhenEmptyMinutes === undefined) {
      await lifecycle.endSleep();
    } else {
      await port.close();
      if (!port.isYielded) this.update();
    }
  }

  async #fallAsleep(minutes: number): Promise<void> {
    const { lifecycle, players, folderLock, services } = this.#options;
    this.#empty.disturb();
    try {
      if ((await players()).length > 0 || folderLock.activity) return; // some servers hide players from the server list
      this.#notice(`No players for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}: going to sleep.`);
      await lifecycle.sleep();
    } catch (error) {
      services.log('error', 'the server could not be put to sleep', { error });
    }
  }

  async #openServer(): Promise<StatusServer> {
    const { settings, services } = this.#options;
    try {
      const { server, bindHost, joinCheck } = await this.#describe();
      const opened = await openStatusServer({
        host: bindHost,
        port: server.config.port,
        limits: LIMITS,
        status: (protocol) => asleepStatus(server, protocol),
        onLogin: (name) => this.#answerLogin(name, { ...server, joinCheck }),
      });
      this.#isRefused = false;
      return opened;
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) services.log('error', 'the port of a sleeping server could not be opened', { error });
      if (!this.#isRefused)
        this.#notice(
          `Players cannot wake this server for now: port ${settings.current.port} is not available (${code ?? 'internal error'}).`,
        );
      this.#isRefused = true;
      throw error;
    }
  }

  async #describe(): Promise<{ server: AsleepServer; bindHost: string | undefined; joinCheck: JoinCheck }> {
    const config = this.#options.settings.current;
    const { definition } = rulesOf(config);
    // The start will report a file that cannot be read; until then, the server sleeps with default settings.
    const properties = await readInstanceFile(config).then(
      ({ values }) => values,
      () => ({}),
    );
    const { bindHost } = gameSettings({ config, definition, properties, password: '' });
    const favicon = await readFavicon(config.directory);
    const joinCheck = new JoinCheck({
      folder: config.directory,
      definition,
      onUnreadable: (why) => this.#notice(`Some players cannot wake this server for now: ${why}`),
    });
    return { server: { config, properties, lastPing: this.#lastPing, favicon }, bindHost, joinCheck };
  }

  async #answerLogin(
    name: string,
    {
      config,
      properties,
      joinCheck,
    }: { config: InstanceConfig; joinCheck: JoinCheck } & Pick<AsleepServer, 'properties'>,
  ): Promise<Farewell> {
    const { lifecycle, folderLock } = this.#options;
    const whitelist = properties['white-list']?.trim().toLowerCase() === 'true';
    const refusal = await joinCheck.whyNot(name, { whitelist, now: Date.now() });
    // Not logged, since anyone could fill a log with it.
    if (refusal !== undefined) return { message: refusal };
    const { activity } = folderLock;
    if (activity) return { message: `${config.name} ${BUSY[activity]}. Join again in a few minutes.` };
    if (performance.now() - this.#failedStartAt < FAILED_START_REST_MS)
      return { message: `${config.name} could not be started. Ask its owner.` };
    return {
      message: `${config.name} is starting. Join again in a minute.`,
      afterwards: () => {
        if (lifecycle.phase === 'sleeping') void this.#wake(name);
      },
    };
  }

  async #wake(name: string): Promise<void> {
    const { lifecycle, services } = this.#options;
    this.#notice(`${name} wants to join: waking up.`);
    try {
      await lifecycle.wake();
    } catch (error) {
      this.#failedStartAt = performance.now();
      if (!(error instanceof GamekeeperError))
        services.log('error', 'a sleeping server could not be started', { error });
      const reason = error instanceof GamekeeperError ? `${error.message} ${error.resolution}` : 'internal error.';
      this.#notice(`The server could not be started: ${reason}`);
    }
  }

  #notice(text: string): void {
    this.#options.services.console.appendNotice(text);
  }
}
