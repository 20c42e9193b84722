import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '../../shared/domain/access/scope.ts';
import type { TokenNotice } from '../../shared/node/link/link-message.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { LinkStatus } from '../../shared/schema/link.ts';
import { follow } from '../upstream/follow.ts';
import { DialError, dial } from './dial.ts';
import { type LinkEnd, type OpenLink, openLink } from './open-link.ts';
import { REFUSED_RETRY_MS, reconnectDelay } from './reconnect-delay.ts';
import type { TelemetrySource } from './telemetry/gather.ts';
import { createLinkTelemetry, type LinkTelemetry } from './telemetry/link-telemetry.ts';

/** Shortest time from one link to the next one that the proxy asks for. */
const MOVE_EVERY_MS = 1_000;
/** For downloads over the former link. A proxy that restarts waits two minutes for all. */
const MOVED_GRACE_MS = 30_000;
/** Longest wait of a daemon that was removed: linking it again with another key removes it for a moment. */
const REMOVED_RETRY_MS = 2_000;

const ENDS: Readonly<Record<LinkEnd, string>> = {
  lost: 'The connection to the proxy was lost.',
  replaced: 'Another Gamekeeper with the same identity has connected. Is a copy of this data directory in use?',
  unlinked: 'This daemon was removed from its account at the proxy.',
};

/** The proxy to connect to. */
export interface LinkTarget {
  issuer: string;
  daemonId: string;
  /** What the proxy is told about this daemon. */
  name?: string;
  ceiling?: readonly Scope[];
  /** The owner lets this daemon report its state. */
  telemetry?: boolean;
}

export interface LinkCredentials {
  /** Yields the present target, `null` if there is none, then each change. */
  watchLink(signal: AbortSignal): AsyncIterable<LinkTarget | null>;
  /** Resolves to a JWT that proves to the proxy which daemon this is. */
  linkToken(): Promise<string>;
}

/** For tests. Milliseconds. */
export interface LinkTiming {
  pingEveryMs?: number;
  answerWithinMs?: number;
  /** Instead of a random number: which part of the longest delay before another attempt is waited. */
  delayShare?: number;
}

export interface LinkOptions {
  credentials: LinkCredentials;
  /** Serves a connection as if it had come to a listener. */
  serve: (socket: Duplex, target: LinkTarget) => void;
  onTokenNotice: (notice: TokenNotice) => void;
  /** Called when the proxy has accepted or refused the link: grants may have been revoked while there was none. */
  onAnswer: () => void;
  /** What is reported if the owner allows it; without it, nothing ever is. */
  telemetry?: TelemetrySource;
  log: Logger;
  timing?: LinkTiming;
}

/** The link to the paired proxy: opened, kept open, and closed with the pairing. */
export interface Link {
  readonly status: LinkStatus;
  close(): void;
}

export function createLink(options: LinkOptions): Link {
  const { credentials, log } = options;
  let connection: LinkConnection | undefined;
  let off: LinkStatus = { state: 'off', since: new Date().toISOString() };

  function retarget(target: LinkTarget | null): void {
    // After a refusal, a change of the pairing means that the owner has linked the daemon again.
    if (target && connection?.isFor(target) && connection.status.state !== 'refused') {
      connection.change(target);
      return;
    }
    connection?.close();
    connection = target ? new LinkConnection(target, options) : undefined;
    off = { state: 'off', since: new Date().toISOString() };
  }

  const stop = follow({
    subscribe: (signal) => credentials.watchLink(signal),
    onItem: retarget,
    onLost: (error) => log.warn({ err: error }, 'the pairing cannot be read'),
  });

  return {
    get status() {
      return connection?.status ?? off;
    },
    close() {
      stop();
      retarget(null);
    },
  };
}

/** Keeps a link to one proxy open. */
class LinkConnection {
  #target: LinkTarget;
  readonly #options: LinkOptions;
  readonly #closing = new AbortController();
  #status: LinkStatus = { state: 'connecting', since: new Date().toISOString() };
  /** Several for a moment while the proxy restarts: the new one opens before the old one closes. */
  readonly #open = new Set<OpenLink>();
  readonly #telemetry: LinkTelemetry | undefined;

  constructor(target: LinkTarget, options: LinkOptions) {
    this.#target = target;
    this.#options = options;
    const { telemetry: source, log } = options;
    this.#telemetry = source && createLinkTelemetry({ source, log, isAllowed: target.telemetry ?? false });
    void this.#run();
  }

  get status(): LinkStatus {
    return this.#status;
  }

  isFor({ issuer, daemonId }: LinkTarget): boolean {
    return this.#target.issuer === issuer && this.#target.daemonId === daemonId;
  }

  /** The same proxy, with other wishes of the owner. */
  change(target: LinkTarget): void {
    this.#target = target;
    for (const open of this.#open) this.#introduce(open);
    this.#telemetry?.allow(target.telemetry ?? false);
  }

  /** Tells the proxy the name and the ceiling, which the owner may have changed since it last heard of them. */
  #introduce(link: OpenLink): void {
    const { name, ceiling } = this.#target;
    if (name !== undefined && ceiling) link.tell({ type: 'about', name, scopes: [...ceiling] });
  }

  close(): void {
    this.#closing.abort();
    this.#telemetry?.detach();
    for (const open of this.#open) open.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    let waitMs = 0; // The first attempt is made at once.
    while (!signal.aborted) {
      await delay(waitMs, undefined, { signal }).catch(() => undefined); // rejects only if aborted
      if (signal.aborted) return;
      try {
        const former = [...this.#open];
        const { link, moved } = await this.#connect();
        failures = 0;
        for (const one of former) one.close(MOVED_GRACE_MS);
        waitMs = await this.#untilNextAttempt(link, moved);
      } catch (error) {
        waitMs = this.#waitAfter(error, failures++);
      }
    }
  }

  /** Resolves to the link, and to what settles once the proxy asks for another within so many milliseconds. */
  async #connect(): Promise<{ link: OpenLink; moved: Promise<number> }> {
    const { credentials, serve, onTokenNotice, timing = {}, log } = this.#options;
    const { issuer, daemonId } = this.#target;
    const opened = Promise.withResolvers<OpenLink>();
    // Before the link opens: the first message may come in the same packet.
    const moved = Promise.withResolvers<number>();
    await dial({
      issuer,
      daemonId,
      token: await credentials.linkToken(),
      signal: this.#closing.signal,
      onOpen: (socket) => {
        const { delayShare: _, ...heartbeat } = timing;
        const link = openLink(socket, {
          serve: (connection) => serve(connection, this.#target),
          onMessage: (message) => {
            if (message.type === 'reconnect') moved.resolve(message.withinMs);
            else onTokenNotice(message);
          },
          onLatency: (ms) => {
            if (this.#status.state === 'connected')
              this.#status = { ...this.#status, latencyMs: Math.round(ms * 10) / 10 };
          },
          heartbeat,
        });
        this.#open.add(link);
        this.#introduce(link);
        this.#telemetry?.attach(link);
        void link.ended.then((end) => this.#onEnd(link, end));
        opened.resolve(link);
      },
    });
    this.#set({ state: 'connected' });
    this.#options.onAnswer();
    log.info({ issuer }, 'linked to the proxy');
    return { link: await opened.promise, moved: moved.promise };
  }

  /** Resolves when another link should be opened, to the time to wait before that. */
  async #untilNextAttempt(link: OpenLink, moved: Promise<number>): Promise<number> {
    const openedAt = performance.now();
    const end = await Promise.race([link.ended, moved]);
    if (typeof end === 'number')
      return Math.max(openedAt + MOVE_EVERY_MS - performance.now(), Math.round(this.#random() * end));
    if (end === 'replaced') return REFUSED_RETRY_MS;
    const random = this.#random();
    return end === 'unlinked' ? random * REMOVED_RETRY_MS : reconnectDelay(0, { random, retryAfterMs: 0 });
  }

  #onEnd(link: OpenLink, end: LinkEnd): void {
    this.#open.delete(link);
    this.#telemetry?.detach(link);
    if (this.#open.size > 0 || this.#closing.signal.aborted) return;
    this.#options.log.warn({ issuer: this.#target.issuer, end }, 'the link to the proxy has ended');
    this.#set({ state: end === 'lost' ? 'connecting' : 'refused', error: ENDS[end] });
  }

  #waitAfter(error: unknown, failures: number): number {
    const refusal = error instanceof DialError ? error : new DialError('The link could not be opened.');
    if (this.#closing.signal.aborted) return 0;
    this.#options.log.warn({ err: error, issuer: this.#target.issuer }, 'the link to the proxy could not be opened');
    // While the former link still works, it is the one that counts.
    if (this.#open.size === 0) this.#set({ state: refusal.refused ? 'refused' : 'connecting', error: refusal.message });
    if (refusal.refused) {
      this.#options.onAnswer();
      return REFUSED_RETRY_MS;
    }
    return reconnectDelay(failures, { random: this.#random(), retryAfterMs: refusal.retryAfterMs });
  }

  #random(): number {
    return this.#options.timing?.delayShare ?? Math.random();
  }

  #set({ state, error }: Pick<LinkStatus, 'state' | 'error'>): void {
    const since = state === this.#status.state ? this.#status.since : new Date().toISOString();
    this.#status = { state, since, ...(error !== undefined && { error }) };
  }
}
