import { setTimeout as delay } from 'node:timers/promises';
import type { LearnedSettings, TunnelTarget } from '../../shared/contract/tunnel.ts';
import { type BackOff, backOffDelay } from '../../shared/domain/back-off.ts';
import { formatGameAddress } from '../../shared/domain/tunnel/game-address.ts';
import type { TunnelStatus } from '../../shared/domain/tunnel/tunnel-status.ts';
import { DEFAULT_PORTS } from '../../shared/node/list-ping/resolve-address.ts';
import { probe } from './check/probe.ts';
import { type OpenTunnel, type Provider, TunnelError } from './providers/provider.ts';

/** Between two probes of an open tunnel. Milliseconds. */
const PROBE_EVERY_MS = 15_000;
/** A requested probe returns the result of one that is not older. Milliseconds. */
const FRESH_MS = 5_000;
const RECONNECT: BackOff = { firstMs: 1_000, maxMs: 60_000 };

export interface TunnelOptions {
  provider: Provider;
  target: TunnelTarget;
  onStatus: (status: TunnelStatus) => void;
  onLearned: (learned: LearnedSettings) => void;
}

/** Opens a tunnel, probes it, and opens it again when it is lost, until `close`. */
export class Tunnel {
  readonly #provider: Provider;
  readonly #onStatus: TunnelOptions['onStatus'];
  readonly #onLearned: TunnelOptions['onLearned'];
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #target: TunnelTarget;
  #open: OpenTunnel | undefined;
  #status: TunnelStatus;
  #probing: Promise<void> | undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Opens the tunnel again because the game listens elsewhere. */
  #moved: () => void = () => undefined;

  constructor({ provider, target, onStatus, onLearned }: TunnelOptions) {
    this.#provider = provider;
    this.#target = target;
    this.#onStatus = onStatus;
    this.#onLearned = onLearned;
    this.#status = {
      provider: provider.name,
      state: 'connecting',
      address: '',
      numericAddress: '',
      pingMs: -1,
      reconnects: 0,
    };
    this.#onStatus(this.#status);
    this.#running = this.#run();
  }

  /** Tells where the game listens now. Probes at once if it has begun to answer players. */
  retarget(target: TunnelTarget): void {
    const before = this.#target;
    this.#target = target;
    const only = this.#open?.target;
    if (only && (only.host !== target.host || only.port !== target.port)) this.#moved();
    if (target.answers && !before.answers) void this.#probeNow();
    if (!target.answers && before.answers) this.#set({ state: 'connecting', pingMs: -1 }, ['error']);
  }

  /** Resolves when the status is that of a probe of the last seconds. */
  async probe(): Promise<void> {
    if (performance.now() - this.#probedAt > FRESH_MS) await this.#probeNow();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const aborted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    let failures = 0;
    while (!signal.aborted) {
      try {
        this.#open = await this.#provider.open(() => this.#target, signal, {
          claim: (claimUrl) => this.#set({ state: 'connecting', claimUrl }, ['error']),
          learned: this.#onLearned,
        });
        failures = 0;
        this.#opened(this.#open);
        const moved = Promise.withResolvers<'moved'>();
        this.#moved = () => moved.resolve('moved');
        const lost = await Promise.race([this.#open.lost, moved.promise, aborted]);
        await this.#shut();
        if (lost === undefined) return;
        if (lost === 'moved') continue;
        this.#set({ state: 'failed', error: lost, pingMs: -1, reconnects: this.#status.reconnects + 1 });
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.#set({ state: 'failed', error: wordsOf(error), pingMs: -1 }, ['claimUrl']);
      }
      await delay(backOffDelay(RECONNECT, Math.max(1, failures), Math.random()), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  #opened({ address, hostKey }: OpenTunnel): void {
    const { probe: kind } = this.#target;
    const defaultPort = kind === 'java' || kind === 'bedrock' ? DEFAULT_PORTS[kind] : undefined;
    this.#set({ state: 'connecting', address: formatGameAddress(address, defaultPort), ...(hostKey && { hostKey }) }, [
      'error',
      'claimUrl',
    ]);
    void this.#probeNow();
  }

  async #shut(): Promise<void> {
    clearTimeout(this.#timer);
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
  }

  /** Only one probe at a time. The next one follows by itself. */
  #probeNow(): Promise<void> {
    this.#probing ??= this.#probeOnce().finally(() => {
      this.#probing = undefined;
      clearTimeout(this.#timer);
      if (this.#open) this.#timer = setTimeout(() => void this.#probeNow(), PROBE_EVERY_MS);
    });
    return this.#probing;
  }

  async #probeOnce(): Promise<void> {
    const open = this.#open;
    const target = this.#target;
    if (!open || !target.answers) return;
    const { numeric, pingMs = -1, error } = await probe(open.address, target, open.advice);
    // It may have been lost, or the game stopped, meanwhile.
    if (open !== this.#open || !this.#target.answers) return;
    this.#probedAt = performance.now();
    const numericAddress = numeric ? formatGameAddress({ host: numeric.ip, port: numeric.port }) : '';
    const { traffic } = this.#provider;
    const found = {
      numericAddress,
      pingMs,
      checkedAt: new Date().toISOString(),
      ...(traffic && { traffic: traffic.read() }),
    };
    if (error === undefined) this.#set({ ...found, state: 'up' }, ['error']);
    else this.#set({ ...found, state: 'failed', error });
  }

  #set(change: Partial<TunnelStatus>, without: readonly ('error' | 'claimUrl')[] = []): void {
    const next = { ...this.#status, ...change };
    for (const key of without) delete next[key];
    this.#status = next;
    this.#onStatus(next);
  }
}

/** Only the words of our own errors are meant for the owner. */
function wordsOf(error: unknown): string {
  return error instanceof TunnelError ? error.message : 'The tunnel could not be opened because of an internal error.';
}
