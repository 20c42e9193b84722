import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../shared/node/address-group.ts';
import { isClosingNotice } from '../../../shared/node/link/closing-notice.ts';
import type { LinkMessage } from '../../../shared/node/link/link-message.ts';
import { LINK_CLOSE, LINK_SUBPROTOCOL, MAX_MESSAGE_BYTES } from '../../../shared/node/link/protocol.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';
import { requestId } from '../../http/request.ts';
import type { DaemonTokens } from '../daemons/daemon-token.ts';
import type { DaemonDirectory } from '../daemons/directory.ts';
import type { Presence } from '../daemons/live-links.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import { bearerOf, refuseUpgrade } from '../http/refuse.ts';
import { isDatabaseAway } from '../store/database.ts';
import { DaemonLink } from './link.ts';

/** Accepting a link costs about a millisecond of CPU time: after a restart, thousands of daemons return within half a minute. */
const ACCEPTED = { requestsPerSecond: 300, burst: 300 };
/** Attempts from one address, which may have many daemons behind it. Each costs a look-up and a signature check. */
const ATTEMPTS = { requestsPerSecond: 100, burst: 300 };
/** After a restart of the proxy, all computers of an account return at once. */
const OF_ACCOUNT = { requestsPerSecond: 20, burst: 2_000 };
const RETRY_AFTER_SECONDS = 5;
/** Daemons ping every 25 s. */
const SILENT_MS = 60_000;
/** How often silent links are looked for, as a share of that time. */
const SWEEP_SHARE = 1 / 6;
const GREETING_MS = 10_000;
/** RFC 6455, section 7.4.1, and the IANA registry. */
const PROTOCOL_ERROR = 1002;
const SERVICE_RESTART = 1012;
const PATH = /^\/link\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export interface LinksOptions {
  directory: Pick<DaemonDirectory, 'seen'>;
  tokens: DaemonTokens;
  /** The proxy's own address, without a slash at the end. */
  issuer: string;
  log: Logger;
  addresses: ClientAddresses;
  /** Called for each text message of a daemon. */
  onMessage?: (daemonId: string, text: Buffer) => void;
  /** Tells other replicas about the links here. */
  registry?: { opened(link: NamedLink): void; closed(link: NamedLink): void } | undefined;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** A link that was silent for so long is given up. */
  silentMs?: number;
}

/** One link of a daemon, not its next one. */
export interface NamedLink {
  daemonId: string;
  linkId: string;
}

/** The links that daemons hold to this process. */
export interface Links extends Presence {
  /** Serves `GET /link/{daemonId}`: answers a request for an upgrade, or accepts the link. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  find(daemonId: string): DaemonLink | undefined;
  /** Returns whether the daemon was told to open its link elsewhere, and takes no more requests over the one here. */
  isMoving(daemonId: string): boolean;
  readonly count: number;
  /** The daemons that are connected. */
  ids(): string[];
  all(): NamedLink[];
  /** Ends the link of a daemon that was removed. */
  disconnect(daemonId: string): void;
  /** Does nothing if the daemon is not connected. */
  tell(daemonId: string, message: LinkMessage): void;
  /** Ends a link, unless it has ended already, because the daemon has another one at another replica. */
  replaced(link: NamedLink): void;
  /** Ends a link, unless it has ended already, and has the daemon open another one. */
  restart(link: NamedLink): void;
  /** Accepts no more links, and has the present ones opened elsewhere within this time. */
  drain(withinMs: number): void;
  close(): void;
}

export function createLinks(options: LinksOptions): Links {
  return new LinkTable(options);
}

class LinkTable implements Links {
  readonly #options: LinksOptions;
  readonly #now: () => number;
  readonly #links = new Map<string, DaemonLink>();
  readonly #accepted = createRateLimit(() => ACCEPTED);
  readonly #attempts = createRateLimit(() => ATTEMPTS);
  readonly #ofAccount = createRateLimit(() => OF_ACCOUNT);
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: () => LINK_SUBPROTOCOL,
  });
  readonly #silentMs: number;
  readonly #sweeping: NodeJS.Timeout;
  #draining = false;
  /** Daemons that were told to open their links elsewhere. */
  readonly #told = new Set<string>();
  /** When daemons were removed lately, milliseconds: their links may be about to open. */
  readonly #removed = new Map<string, number>();

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#silentMs = options.silentMs ?? SILENT_MS;
    this.#sweeping = setInterval(() => this.#sweep(), this.#silentMs * SWEEP_SHARE).unref();
  }

  get count(): number {
    return this.#links.size;
  }

  async connected(daemonIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(daemonIds.filter((daemonId) => this.#links.has(daemonId)));
  }

  ids(): string[] {
    return [...this.#links.keys()];
  }

  all(): NamedLink[] {
    return [...this.#links.values()];
  }

  find(daemonId: string): DaemonLink | undefined {
    return this.#links.get(daemonId);
  }

  isMoving(daemonId: string): boolean {
    return this.#told.has(daemonId) && !this.#links.get(daemonId)?.isOpen;
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined); // Followed by 'close'.
    this.#admit(request)
      .then((daemonId) => {
        if (socket.destroyed) return;
        this.#webSockets.handleUpgrade(request, socket, head, (opened) => this.#open(daemonId, opened));
      })
      .catch((error: unknown) => {
        if (!(error instanceof GamekeeperError) && !isDatabaseAway(error))
          this.#options.log.error({ err: error }, 'a link could not be accepted');
        refuseUpgrade(socket, error, { issuer: this.#options.issuer, requestId: requestId(request) });
      });
  }

  disconnect(daemonId: string): void {
    this.#removed.set(daemonId, performance.now());
    this.#links.get(daemonId)?.close(LINK_CLOSE.unlinked, 'the daemon was removed');
  }

  tell(daemonId: string, message: LinkMessage): void {
    this.#links.get(daemonId)?.tell(message);
  }

  replaced({ daemonId, linkId }: NamedLink): void {
    // The daemon opens the new link first, and closes this one when its requests are done.
    if (this.#draining) return;
    const link = this.#links.get(daemonId);
    if (link?.linkId === linkId) link.close(LINK_CLOSE.replaced, 'another link of this daemon has opened');
  }

  restart({ daemonId, linkId }: NamedLink): void {
    const link = this.#links.get(daemonId);
    if (link?.linkId === linkId) link.close(SERVICE_RESTART, 'try again');
  }

  drain(withinMs: number): void {
    this.#draining = true;
    for (const link of this.#links.values()) {
      link.tell({ type: 'reconnect', withinMs });
      this.#told.add(link.daemonId);
    }
  }

  close(): void {
    this.#draining = true;
    clearInterval(this.#sweeping);
    for (const link of this.#links.values()) link.close(SERVICE_RESTART, 'the proxy is restarting');
  }

  /** Resolves to the id of a daemon that has proved itself. */
  async #admit(request: IncomingMessage): Promise<string> {
    const daemonId = PATH.exec(request.url ?? '')?.[1];
    if (daemonId === undefined || request.headers['sec-websocket-protocol'] !== LINK_SUBPROTOCOL)
      throw new GamekeeperError('invalid_request', 'This proxy and this Gamekeeper do not speak the same protocol.', {
        resolution: 'Update both to the newest version.',
      });
    if (this.#draining) throw this.#busy('The proxy is restarting.');
    const seconds = this.#attempts.take(addressGroup(this.#options.addresses.of(request)), this.#now());
    if (seconds > 0) throw new GamekeeperError('rate_limited', 'Too many attempts.', { retryAfterSeconds: seconds });
    const began = performance.now();
    const { accountId } = await this.#options.tokens.redeem(bearerOf(request) ?? '', daemonId);
    // Only daemons that have proved themselves count: others must not take their places, and neither must those of one account.
    const wait = this.#ofAccount.take(accountId, this.#now());
    if (wait > 0)
      throw new GamekeeperError('rate_limited', 'Too many links of one account.', { retryAfterSeconds: wait });
    if (this.#accepted.take('', this.#now()) > 0) throw this.#busy('Too many daemons connect at once.');
    if (this.#wasRemoved(daemonId, began) || this.#draining) throw this.#busy('The proxy is busy.');
    return daemonId;
  }

  #open(daemonId: string, socket: WebSocket): void {
    const { directory, registry, log } = this.#options;
    const link = new DaemonLink(daemonId, socket);
    const opened = performance.now();
    const seen = () =>
      directory
        .seen(daemonId, new Date(this.#now()))
        // It was removed by another process while the link opened.
        .then((isRegistered) => void (isRegistered || link.close(LINK_CLOSE.unlinked, 'the daemon was removed')))
        .catch((error: unknown) => log.warn({ err: error }, 'the last connection of a daemon could not be noted'));
    const timer = setTimeout(() => socket.close(PROTOCOL_ERROR), GREETING_MS);
    let isGreeted = false;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return;
      if (isClosingNotice(data)) link.finish();
      // A former link of the daemon may still be closing.
      else if (!isGreeted || this.#links.get(daemonId) === link) this.#options.onMessage?.(daemonId, data);
    });
    socket.on('error', () => undefined); // Followed by 'close'.
    socket.once('close', () => {
      clearTimeout(timer);
      if (this.#links.get(daemonId) !== link) return;
      this.#links.delete(daemonId);
      registry?.closed(link);
      log.debug({ daemonId }, 'a daemon has disconnected');
      void seen();
    });
    void link.speaksHttp2().then((speaks) => {
      clearTimeout(timer);
      isGreeted = true;
      if (socket.readyState !== socket.OPEN) return;
      if (!speaks) socket.close(PROTOCOL_ERROR);
      else if (this.#wasRemoved(daemonId, opened)) link.close(SERVICE_RESTART, 'try again');
      else {
        this.#links.get(daemonId)?.close(LINK_CLOSE.replaced, 'another link of this daemon has opened');
        this.#links.set(daemonId, link);
        registry?.opened(link);
        log.debug({ daemonId }, 'a daemon has connected');
        void seen();
      }
    });
  }

  #sweep(): void {
    const oldest = performance.now() - this.#silentMs;
    for (const link of this.#links.values()) if (link.heardAt < oldest) link.terminate();
    for (const [daemonId, at] of this.#removed) if (at < oldest) this.#removed.delete(daemonId);
  }

  /** Returns whether the daemon was removed, or got another key, since then. */
  #wasRemoved(daemonId: string, since: number): boolean {
    return (this.#removed.get(daemonId) ?? -1) >= since;
  }

  #busy(detail: string): GamekeeperError {
    return new GamekeeperError('proxy_unavailable', detail, {
      resolution: 'Gamekeeper tries again by itself.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
