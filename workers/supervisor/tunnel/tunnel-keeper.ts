import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { LearnedSettings, TunnelTarget } from '../../../shared/contract/tunnel.ts';
import { type BackOff, backOffDelay } from '../../../shared/domain/back-off.ts';
import type { TunnelStatus } from '../../../shared/domain/tunnel/tunnel-status.ts';
import type { TunnelSettings } from '../../../shared/schema/tunnel.ts';
import type { Log } from '../own-process/process-log.ts';
import { TunnelProcess, type TunnelProcessOptions } from './tunnel-process.ts';

const RESTART: BackOff = { firstMs: 1_000, maxMs: 60_000 };

export interface TunnelKeeperOptions {
  label: { home: string; instance: string };
  /** Path of the tunnel's program. */
  entry: string;
  /** Adds what the first connection taught to the settings. */
  storeLearned: (learned: LearnedSettings) => Promise<void>;
  /** Resolves to a permit of the paired proxy. */
  permit: TunnelProcessOptions['permit'];
  log: Log;
}

interface Wish {
  settings: TunnelSettings;
  target: TunnelTarget;
}

interface Running extends Wish {
  process: TunnelProcess;
}

/** Keeps the tunnel process of the settings alive while the server is up. */
export class TunnelKeeper extends EventEmitter<{ change: [] }> {
  readonly #options: TunnelKeeperOptions;
  #wish: Wish | undefined;
  #running: Running | undefined;
  #status: TunnelStatus | undefined;
  /** Until it is stored. */
  #learned: LearnedSettings | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #ending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: TunnelKeeperOptions) {
    super();
    this.#options = options;
  }

  /** `undefined` while there is no tunnel. */
  get status(): TunnelStatus | undefined {
    return this.#status;
  }

  /** `undefined`: the server is down, or no tunnel is set up. */
  update(wish: Wish | undefined): void {
    if (this.#isClosed) return;
    this.#wish = wish;
    const running = this.#running;
    if (running && wish && isSameTunnel(running.settings, wish.settings)) {
      if (!isDeepStrictEqual(running.target, wish.target))
        running.process.send({ type: 'target', target: wish.target });
      this.#running = { ...wish, process: running.process };
      return;
    }
    if (running) this.#end(running.process);
    this.#failures = 0;
    clearTimeout(this.#timer);
    if (wish) this.#start(wish);
    else this.#setStatus(undefined);
  }

  /** Resolves when the status is that of a probe of the last seconds. */
  async probe(): Promise<void> {
    await this.#running?.process.probe();
  }

  /** Resolves when the tunnel process is gone. */
  async close(): Promise<void> {
    this.update(undefined);
    this.#isClosed = true;
    await this.#ending;
  }

  #start(wish: Wish): void {
    const { label, entry, permit } = this.#options;
    const process: TunnelProcess = new TunnelProcess({
      entry,
      label,
      permit,
      onStatus: (status) => {
        if (this.#running?.process === process) this.#observe(status);
      },
      onLearned: (learned) => {
        if (this.#running?.process !== process) return;
        this.#learned = learned;
        this.#storeLearned();
      },
      onEnd: (how) => {
        if (this.#running?.process === process) this.#lost(how);
      },
    });
    this.#running = { ...wish, process };
    process.send({ type: 'open', ...wish });
  }

  #end(process: TunnelProcess): void {
    this.#running = undefined;
    this.#learned = undefined;
    this.#ending = Promise.all([this.#ending, process.end()]).then(() => undefined);
  }

  #observe(status: TunnelStatus): void {
    this.#setStatus(status);
    if (status.state === 'up') this.#failures = 0;
    this.#storeLearned();
  }

  #storeLearned(): void {
    const learned = this.#learned;
    if (!learned) return;
    this.#options.storeLearned(learned).then(
      () => {
        if (this.#learned === learned) this.#learned = undefined;
      },
      (error: unknown) =>
        // Without a daemon it is stored at the next status.
        this.#options.log('warn', 'what the tunnel learned could not be stored', { error }),
    );
  }

  #lost(how: string): void {
    this.#running = undefined;
    this.#failures += 1;
    this.#options.log('error', 'the tunnel process ended', { how });
    const { provider = '', address = '', reconnects = 0 } = this.#status ?? {};
    const error = 'The tunnel stopped because of an internal error. It is started again.';
    this.#setStatus({
      provider,
      state: 'failed',
      address,
      numericAddress: '',
      pingMs: -1,
      error,
      reconnects: reconnects + 1,
    });
    this.#timer = setTimeout(
      () => this.#wish && this.#start(this.#wish),
      backOffDelay(RESTART, this.#failures, Math.random()),
    );
  }

  #setStatus(status: TunnelStatus | undefined): void {
    if (this.#status === undefined && status === undefined) return;
    this.#status = status;
    this.emit('change');
  }
}

/** What was learned and stored meanwhile changes nothing. */
function isSameTunnel(one: TunnelSettings, other: TunnelSettings): boolean {
  if (isDeepStrictEqual(one, other)) return true;
  if (one.provider === 'ssh' && one.hostKey === undefined) return isDeepStrictEqual(one, without(other, 'hostKey'));
  if (one.provider === 'playit' && one.secret === undefined) return isDeepStrictEqual(one, without(other, 'secret'));
  return false;
}

function without(settings: TunnelSettings, key: string): object {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== key));
}
