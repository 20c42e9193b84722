import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { requestId } from '../../http/request.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import { bearerOf, type RefuseOptions, refuse, refuseUpgrade } from '../http/refuse.ts';
import type { TokenCheck } from '../oauth/tokens/check-token.ts';
import type { CheckedToken } from '../oauth/tokens/checked-token.ts';
import { isDatabaseAway } from '../store/database.ts';
import type { AccountLimits } from './account-limits.ts';
import type { DaemonStreams } from './daemon-streams.ts';
import { holding } from './holding.ts';
import { OfflineError } from './offline-error.ts';
import { headersForClient, headersForDaemon } from './relay-headers.ts';
import { hasBody, relayRequest, requireSmall } from './relay-request.ts';
import { handshakeKey, relaySocket } from './relay-socket.ts';
import { relayTarget } from './relay-target.ts';
import type { RelayedRequest } from './relayed-request.ts';
import { createStrangers } from './strangers.ts';

export interface RelayOptions {
  streams: DaemonStreams;
  tokens: Pick<TokenCheck, 'isKnown'> & {
    forDaemon(token: string, daemonId: string): Promise<Pick<CheckedToken, 'accountId'> | undefined>;
  };
  addresses: ClientAddresses;
  /** The proxy's own address, without a slash at the end. */
  issuer: string;
  log: Logger;
  accounts: AccountLimits;
}

/** Serves `/d/{daemonId}/...`: passes requests to a daemon over its link. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #strangers = createStrangers();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Answers a request. Its body must not have been read. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { bodyBytes } = this.#options.accounts.limits;
    const refused = (error: unknown) => refuse(response, error, this.#refuseOptions(request, error));
    this.#admit(request, 'requests')
      .then(({ leave, ...head }) =>
        holding(leave, () => {
          requireSmall(request, bodyBytes);
          if (request.socket.destroyed) return leave(); // The client has left while its token was checked.
          return this.#options.streams.open({ ...head, endStream: !hasBody(request) }, (stream) =>
            relayRequest(request, response, {
              answerHeaders: (headers) => headersForClient(headers, head.daemonId),
              stream,
              bodyBytes,
              leave,
              refuse: refused,
            }),
          );
        }),
      )
      .catch(refused);
  }

  /** Answers a request for an upgrade to WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refused = (error: unknown) => refuseUpgrade(socket, error, this.#refuseOptions(request, error));
    this.#admit(request, 'sockets')
      .then(({ daemonId, headers, leave }) =>
        holding(leave, () => {
          handshakeKey(request);
          if (socket.destroyed) return leave();
          const connect = { ...headers, ':method': 'CONNECT', ':protocol': 'websocket' };
          return this.#options.streams.open({ daemonId, headers: connect, endStream: false }, (stream) =>
            relaySocket(
              { request, socket, head },
              { answerHeaders: (answer) => headersForClient(answer, daemonId), stream, leave, refuse: refused },
            ),
          );
        }),
      )
      .catch(refused);
  }

  /** Checks the token, then the limits of its account. */
  async #admit(request: IncomingMessage, kind: 'requests' | 'sockets'): Promise<RelayedRequest> {
    const { issuer, accounts } = this.#options;
    const target = relayTarget(request.url ?? '');
    if (!target)
      throw new GamekeeperError('route_not_found', 'There is no daemon at this address.', {
        resolution: 'Use /d/{daemonId}/ followed by a path of the daemon, such as /d/{daemonId}/instances.',
      });
    const { daemonId, path } = target;
    const leave = accounts.enter(await this.#accountOf(request, daemonId), kind, Date.now());
    const headers = {
      ...headersForDaemon(request.headers),
      'x-request-id': requestId(request),
      ':method': request.method ?? 'GET',
      ':path': path,
      ':scheme': 'https',
      ':authority': new URL(issuer).host,
    };
    return { daemonId, headers, leave };
  }

  /** Resolves to the account of the request's token. */
  async #accountOf(request: IncomingMessage, daemonId: string): Promise<string> {
    const { tokens, addresses } = this.#options;
    const token = bearerOf(request);
    // A program behind the same address as a flood of forged tokens goes on with the token that it has used before.
    const isKnown = token !== undefined && tokens.isKnown(token, daemonId);
    const leave = isKnown ? () => undefined : this.#strangers.enter(addresses.of(request), Date.now());
    if (token === undefined) throw unauthenticated('This request needs an access token.');
    const found = await tokens.forDaemon(token, daemonId).catch((error: unknown) => {
      leave(); // Not the token's fault.
      throw error;
    });
    if (!found) throw unauthenticated('The access token is wrong, expired or revoked.');
    leave();
    return found.accountId;
  }

  #refuseOptions(request: IncomingMessage, error?: unknown): RefuseOptions {
    const lastSeen = error instanceof OfflineError ? error.lastSeen : undefined;
    if (error !== undefined && !(error instanceof GamekeeperError) && !isDatabaseAway(error))
      this.#options.log.error({ err: error }, 'a request could not be relayed');
    return {
      issuer: this.#options.issuer,
      requestId: requestId(request),
      ...(lastSeen && { extension: { lastSeen: lastSeen.toISOString() } }),
    };
  }
}

function unauthenticated(detail: string): GamekeeperError {
  return new GamekeeperError('unauthenticated', detail, {
    resolution: "Send an access token of this proxy for this daemon as a bearer token. Its resource is the daemon's.",
  });
}
