import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import { createRateLimit } from '../../../../shared/node/rate-limit.ts';
import {
  isTicket,
  MOST_CONTROL_BYTES,
  PLAYER_UPGRADE,
  TICKET_HEADER,
  TUNNEL_CLOSE,
  TUNNEL_SUBPROTOCOL,
  TUNNEL_TOKEN,
  tunnelPath,
} from '../../../../shared/node/tunnel/relay-protocol.ts';
import { requestId } from '../../../http/request.ts';
import type { DaemonTokens } from '../../daemons/daemon-token.ts';
import type { ClientAddresses } from '../../http/client-addresses.ts';
import { bearerOf, refuseUpgrade } from '../../http/refuse.ts';
import { isDatabaseAway } from '../../store/database.ts';
import type { Tunnel, Tunnels } from '../tunnels/tunnels.ts';
import { TunnelLink } from './tunnel-link.ts';

/** Attempts from one address to open control links. Each costs a look-up and a signature check. */
const ATTEMPTS = { requestsPerSecond: 20, burst: 200 };
/** Tunnel processes ping every 25 s. */
const SILENT_MS = 60_000;
const SWEEP_EVERY_MS = 10_000;
const SERVICE_RESTART = 1012;
const PATH = /^\/tunnel\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([a-z0-9][a-z0-9-]{0,31})$/;

export interface TunnelLinksOptions {
  /** The address of this edge, without a slash at the end. */
  edge: { url: string; suffix: string };
  tunnels: Pick<Tunnels, 'find' | 'used'>;
  tokens: Pick<DaemonTokens, 'redeem'>;
  addresses: ClientAddresses;
  /** Called when a control link has opened. */
  onOpen: (link: TunnelLink) => void;
  log: Logger;
}

/** The control links of tunnel processes to this edge. */
export class TunnelLinks {
  readonly #options: TunnelLinksOptions;
  readonly #byPath = new Map<string, TunnelLink>();
  readonly #byLabel = new Map<string, TunnelLink>();
  readonly #attempts = createRateLimit(() => ATTEMPTS);
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MOST_CONTROL_BYTES,
    handleProtocols: () => TUNNEL_SUBPROTOCOL,
  });
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref();
  #isClosed = false;

  constructor(options: TunnelLinksOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#byPath.size;
  }

  /** Returns a link that players can come in over. */
  find(label: string): TunnelLink | undefined {
    const link = this.#byLabel.get(label);
    return link?.isOpen ? link : undefined;
  }

  /** Serves `GET /tunnel/{daemonId}/{instance}`: an upgrade to a control link, or to the connection of one player. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined); // Followed by 'close'.
    if (request.headers.upgrade?.toLowerCase() === PLAYER_UPGRADE) {
      this.#acceptPlayer(request, socket, head);
      return;
    }
    this.#admit(request)
      .then((tunnel) => {
        if (socket.destroyed) return;
        this.#webSockets.handleUpgrade(request, socket, head, (opened) => this.#open(tunnel, opened));
      })
      .catch((error: unknown) => {
        if (!(error instanceof GamekeeperError) && !isDatabaseAway(error))
          this.#options.log.error({ err: error }, 'a tunnel could not be accepted');
        this.#refuse(request, socket, error);
      });
  }

  /** The tunnels that are open. */
  ids(): string[] {
    return [...this.#byPath.values()].map(({ tunnel }) => tunnel.id);
  }

  /** Ends the control link of a tunnel that was removed or suspended. */
  end(tunnelId: string): void {
    for (const link of this.#byPath.values())
      if (link.tunnel.id === tunnelId) link.close(TUNNEL_CLOSE.ended, 'the tunnel was removed or suspended');
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeping);
    for (const link of this.#byPath.values()) link.close(SERVICE_RESTART, 'the proxy is restarting');
  }

  /** Resolves to the tunnel of a request that has proved itself. */
  async #admit(request: IncomingMessage): Promise<Tunnel> {
    const { tokens, tunnels, edge, addresses } = this.#options;
    const [path, daemonId, instance] = PATH.exec(request.url ?? '') ?? [];
    if (
      daemonId === undefined ||
      instance === undefined ||
      request.headers['sec-websocket-protocol'] !== TUNNEL_SUBPROTOCOL
    )
      throw new GamekeeperError('invalid_request', 'This proxy and this Gamekeeper do not speak the same protocol.', {
        resolution: 'Update both to the newest version.',
      });
    if (this.#isClosed) throw new GamekeeperError('proxy_unavailable', 'The proxy is restarting.');
    const seconds = this.#attempts.take(addressGroup(addresses.of(request)), Date.now());
    if (seconds > 0) throw new GamekeeperError('rate_limited', 'Too many attempts.', { retryAfterSeconds: seconds });
    await tokens.redeem(bearerOf(request) ?? '', daemonId, { typ: TUNNEL_TOKEN.typ, audience: `${edge.url}${path}` });
    const tunnel = await tunnels.find(daemonId, instance);
    if (tunnel?.suffix !== edge.suffix) throw new GamekeeperError('invalid_state', 'There is no such tunnel here.');
    if (tunnel.isSuspended)
      throw new GamekeeperError('invalid_state', 'The operator of the proxy has suspended this address.', {
        resolution: 'Ask whoever runs the proxy.',
      });
    await tunnels.used([tunnel.id]);
    return tunnel;
  }

  #open(tunnel: Tunnel, socket: WebSocket): void {
    const { onOpen, log } = this.#options;
    const link = new TunnelLink(tunnel, socket);
    const path = tunnelPath(tunnel.daemonId, tunnel.instance);
    const former = this.#byPath.get(path);
    if (former) {
      this.#byLabel.delete(former.tunnel.label);
      former.close(TUNNEL_CLOSE.replaced, 'another control link of this server has opened');
    }
    this.#byPath.set(path, link);
    this.#byLabel.set(tunnel.label, link);
    onOpen(link);
    log.debug({ tunnel: tunnel.label }, 'a tunnel has opened');
    socket.once('close', () => {
      if (this.#byPath.get(path) === link) this.#byPath.delete(path);
      if (this.#byLabel.get(tunnel.label) === link) this.#byLabel.delete(tunnel.label);
      log.debug({ tunnel: tunnel.label }, 'a tunnel has ended');
    });
  }

  #acceptPlayer(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = request.headers[TICKET_HEADER];
    const link = this.#byPath.get(request.url ?? '');
    socket.pause();
    if (head.length > 0) socket.unshift(head);
    if (!isTicket(ticket) || !link?.met(ticket, socket)) {
      this.#refuse(request, socket, new GamekeeperError('invalid_state', 'Nobody waits for this connection.'));
      return;
    }
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${PLAYER_UPGRADE}\r\n\r\n`);
  }

  #refuse(request: IncomingMessage, socket: Duplex, error: unknown): void {
    refuseUpgrade(socket, error, { issuer: this.#options.edge.url, requestId: requestId(request) });
  }

  #sweep(): void {
    const oldest = performance.now() - SILENT_MS;
    for (const link of this.#byPath.values()) if (link.heardAt < oldest) link.terminate();
  }
}
