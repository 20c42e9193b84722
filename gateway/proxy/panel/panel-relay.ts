import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { requestId } from '../../http/request.ts';
import type { AccountLimits } from '../relay/account-limits.ts';
import type { DaemonStreams } from '../relay/daemon-streams.ts';
import { holding } from '../relay/holding.ts';
import { headersForDaemon } from '../relay/relay-headers.ts';
import { hasBody, relayRequest, requireSmall } from '../relay/relay-request.ts';
import { handshakeKey, relaySocket, type Upgrade } from '../relay/relay-socket.ts';
import type { PanelParts } from './panel.ts';
import { headersForPanel } from './panel-headers.ts';
import type { PanelSession } from './panel-sessions.ts';
import { createPanelWatch, type PanelWatch } from './panel-watch.ts';

/** Streams that stay open, besides WebSockets. */
const EVENTS = /^(?:\/api\/v1)?\/events(?:\?|$)/;

export interface PanelRelayOptions {
  panel: Pick<PanelParts, 'sessions' | 'tokens'>;
  issuer: string;
  streams: DaemonStreams;
  accounts: AccountLimits;
  log: Logger;
}

/** Somebody who has a session on the host of a daemon. */
export interface Visitor {
  daemonId: string;
  session: PanelSession;
}

type Refuse = (error: GamekeeperError) => void;

/** Passes what visitors send to their daemon, with the limits of their account, until their session ends. */
export class PanelRelay {
  readonly #options: PanelRelayOptions;
  readonly #watch: PanelWatch;

  constructor(options: PanelRelayOptions) {
    this.#options = options;
    this.#watch = createPanelWatch({ sessions: options.panel.sessions, log: options.log });
  }

  async request(
    request: IncomingMessage,
    response: ServerResponse,
    { visitor, refuse }: { visitor: Visitor; refuse: Refuse },
  ): Promise<void> {
    const { streams, accounts } = this.#options;
    const { bodyBytes } = accounts.limits;
    const leave = this.#enter(visitor, 'requests', () => request.socket.destroy());
    await holding(leave, async () => {
      requireSmall(request, bodyBytes);
      const headers = await this.#headers(request, visitor, { lasts: EVENTS.test(request.url ?? '') });
      if (request.socket.destroyed) return leave();
      return streams.open({ daemonId: visitor.daemonId, headers, endStream: !hasBody(request) }, (stream) =>
        relayRequest(request, response, { answerHeaders: headersForPanel, stream, bodyBytes, leave, refuse }),
      );
    });
  }

  async socket(upgrade: Upgrade, { visitor, refuse }: { visitor: Visitor; refuse: Refuse }): Promise<void> {
    const { request, socket } = upgrade;
    const leave = this.#enter(visitor, 'sockets', () => socket.destroy());
    await holding(leave, async () => {
      handshakeKey(request);
      const headers = await this.#headers(request, visitor, { lasts: true });
      if (socket.destroyed) return leave();
      const connect = { ...headers, ':method': 'CONNECT', ':protocol': 'websocket' };
      return this.#options.streams.open({ daemonId: visitor.daemonId, headers: connect, endStream: false }, (stream) =>
        relaySocket(upgrade, { answerHeaders: headersForPanel, stream, leave, refuse }),
      );
    });
  }

  /** Takes a place. Returns how to give it back. `close` is called when the session ends. */
  #enter({ session }: Visitor, kind: 'requests' | 'sockets', close: () => void): () => void {
    const leave = this.#options.accounts.enter(session.accountId, kind, Date.now());
    const forget = this.#watch.add(session.name, close);
    return () => {
      leave();
      forget();
    };
  }

  async #headers(
    request: IncomingMessage,
    { session, daemonId }: Visitor,
    options: { lasts: boolean },
  ): Promise<OutgoingHttpHeaders> {
    const { panel, issuer } = this.#options;
    return {
      ...headersForDaemon(request.headers),
      authorization: `Bearer ${await panel.tokens.of(session, daemonId, options)}`,
      'x-request-id': requestId(request),
      ':method': request.method ?? 'GET',
      ':path': request.url ?? '/',
      ':scheme': 'https',
      ':authority': new URL(issuer).host,
    };
  }
}
