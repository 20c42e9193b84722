import type { Activity } from '../../../shared/domain/phase.ts';
import { errorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type Farewell, openStatusServer, type StatusServer } from '../../../shared/node/list-ping/status-server.ts';
import type { Player } from '../../../shared/schema/answers.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../own-process/process-log.ts';
import type { ServerPing } from '../players/list-ping.ts';
import { gameSettings } from '../properties/game-settings.ts';
import { readInstanceFile } from '../properties/instance-file.ts';
import { type AsleepServer, asleepStatus, readFavicon } from './asleep-status.ts';
import { EmptyWatch } from './empty-watch.ts';
import { JoinCheck } from './may-join.ts';

/**
 * A ping or a login takes milliseconds. Behind a tunnel everybody comes from one address, so that one gets a good share; whoever holds
 * it with silent connections has it back to hold every few seconds.
 */
const LIMITS = { most: 64, mostPerAddress: 16, lifetimeMs: 5_000 };
/** How soon a port that somebody else has taken meanwhile is tried again. Milliseconds. */
const RETRY_MS = 10_000;
/** After a start that could not be, joining does not try again for so long. Milliseconds. */
const FAILED_START_REST_MS = 30_000;
const MINUTE_MS = 60_000;
/** What is told about a folder that somebody holds. */
const BUSY: Readonly<Record<Activity, string>> = {
  'backing-up': 'is being backed up',
  restoring: 'is being restored from a backup',
  installing: 'is being changed: mods or files are being installed',
};

export interface SleeperOptions {
  config: () => InstanceConfig;
  lifecycle: Lifecycle;
  /** Who plays, by everything that can be asked. */
  players: () => Promise<Player[]>;
  /** What somebody holds the folder for, so that the server can neither sleep nor start. */
  activity: () => Activity | undefined;
  notice: (text: string) => void;
  log: Log;
}

/** Sends a server that nobody plays on to sleep, and listens on its port until somebody wants to join. */
export class Sleeper {
  readonly #options: SleeperOptions;
  readonly #empty = new EmptyWatch();
  /** Of the port that is being, or was, opened for this sleep. */
  #port: Promise<StatusServer | undefined> | undefined;
  /** Settles when every port that was opened before is closed. */
  #closed: Promise<void> = Promise.resolve();
  #isYielded = false;
  #retry: NodeJS.Timeout | undefined;
  /** Whether the console says that the port cannot be had. */
  #isRefused = false;
  #lastPing: ServerPing | undefined;
  #failedStartAt = Number.NEGATIVE_INFINITY;

  constructor(options: SleeperOptions) {
    this.#options = options;
  }

  /** Whether a start has the port, or is about to have it: until the next transition nothing of ours listens. */
  get isYielded(): boolean {
    return this.#isYielded;
  }

  /** To be called after each transition, and where there is none to come. */
  update(): void {
    this.#isYielded = false;
    const { phase } = this.#options.lifecycle;
    if (phase !== 'running') this.#empty.disturb();
    if (phase !== 'sleeping') void this.release();
    else this.#port ??= this.#open();
  }

  /** To be called when somebody has come or gone. */
  playersChanged(): void {
    this.#empty.disturb();
  }

  /** To be called with what the running server told the server list, or that it told nothing. */
  pinged(answer: ServerPing | undefined): void {
    const { config, lifecycle, activity } = this.#options;
    this.#lastPing = answer ?? this.#lastPing;
    const { sleepWhenEmptyMinutes: minutes } = config();
    if (minutes === undefined || lifecycle.phase !== 'running') return;
    if (activity()) this.#empty.disturb();
    const emptyMs = this.#empty.observe(answer?.online, performance.now());
    if (answer && emptyMs >= minutes * MINUTE_MS) void this.#fallAsleep(minutes);
  }

  /** To be called with a new configuration: another port, or no sleep any more. A start that is under way sees to it itself. */
  async reconfigured(): Promise<void> {
    const { config, lifecycle, notice } = this.#options;
    this.#empty.disturb();
    if (lifecycle.phase !== 'sleeping' || this.#isYielded) return;
    if (config().sleepWhenEmptyMinutes === undefined) {
      notice('It is not to sleep any more: stopped.');
      await lifecycle.endSleep();
    } else {
      await this.release();
      if (!this.isYielded) this.update();
    }
  }

  /** Resolves when the port is free for the game, which it stays until the next transition. */
  async yieldPort(): Promise<void> {
    this.#isYielded = true;
    await this.release();
  }

  /** Resolves when nothing of ours is on the port. */
  async release(): Promise<void> {
    clearTimeout(this.#retry);
    const opened = this.#port;
    this.#port = undefined;
    this.#closed = this.#closed.then(async () => {
      const port = await opened;
      if (!this.#port) clearTimeout(this.#retry); // it may have failed just now
      await port?.close();
    });
    await this.#closed;
  }

  async #fallAsleep(minutes: number): Promise<void> {
    const { lifecycle, players, activity, notice, log } = this.#options;
    this.#empty.disturb();
    try {
      if ((await players()).length > 0 || activity()) return; // some servers tell the list less than there are
      notice(`Nobody has played for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}: going to sleep.`);
      await lifecycle.sleep();
    } catch (error) {
      log('error', 'the server could not be sent to sleep', { error });
    }
  }

  async #open(): Promise<StatusServer | undefined> {
    const { config, notice, log } = this.#options;
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
      if (code === undefined) log('error', 'the port of a sleeping server could not be opened', { error });
      if (!this.#isRefused)
        notice(
          `Nobody can wake it by joining for now: port ${config().port} cannot be had (${code ?? 'internal error'}).`,
        );
      this.#isRefused = true;
      this.#retry = setTimeout(() => this.#openAgain(), RETRY_MS);
      return undefined;
    }
  }

  #openAgain(): void {
    if (this.#options.lifecycle.phase === 'sleeping') this.#port = this.#open();
  }

  async #describe(): Promise<{ server: AsleepServer; bindHost: string | undefined; joinCheck: JoinCheck }> {
    const { notice } = this.#options;
    const config = this.#options.config();
    const { definition } = rulesOf(config);
    // A file that cannot be read is told at the start; until then the server sleeps under its name.
    const properties = await readInstanceFile(config).then(
      ({ values }) => values,
      () => ({}),
    );
    const { bindHost } = gameSettings({ config, definition, properties, password: '' });
    const favicon = await readFavicon(config.directory);
    const joinCheck = new JoinCheck({
      folder: config.directory,
      definition,
      onUnreadable: (why) => notice(`Some cannot wake it by joining for now: ${why}`),
    });
    return { server: { config, properties, lastPing: this.#lastPing, favicon }, bindHost, joinCheck };
  }

  async #answerLogin(
    name: string,
    { config, properties, joinCheck }: AsleepServer & { joinCheck: JoinCheck },
  ): Promise<Farewell> {
    const { lifecycle, activity } = this.#options;
    const whitelist = properties['white-list']?.trim().toLowerCase() === 'true';
    const refusal = await joinCheck.whyNot(name, { whitelist, now: Date.now() });
    // Told to nobody else: whoever wants to could fill a log with it.
    if (refusal !== undefined) return { message: refusal };
    const busy = activity();
    if (busy) return { message: `${config.name} ${BUSY[busy]}. Join again in a few minutes.` };
    if (performance.now() - this.#failedStartAt < FAILED_START_REST_MS)
      return { message: `${config.name} could not be started. Ask whoever runs it.` };
    return {
      message: `${config.name} is starting. Join again in a minute.`,
      afterwards: () => {
        if (lifecycle.phase === 'sleeping') void this.#wake(name);
      },
    };
  }

  async #wake(name: string): Promise<void> {
    const { lifecycle, notice, log } = this.#options;
    notice(`${name} wants to join: waking up.`);
    try {
      await lifecycle.wake();
    } catch (error) {
      this.#failedStartAt = performance.now();
      if (!(error instanceof GamekeeperError)) log('error', 'a sleeping server could not be started', { error });
      const reason = error instanceof GamekeeperError ? `${error.message} ${error.resolution}` : 'an internal error.';
      notice(`It could not be started: ${reason}`);
    }
  }
}
