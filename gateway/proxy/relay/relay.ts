import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { requestId } from '../../http/request.ts';
import type { DaemonDirectory } from '../daemons/directory.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import { bearerOf, type RefuseOptions, refuse, refuseUpgrade } from '../http/refuse.ts';
import type { Links } from '../links/links.ts';
import type { TokenCheck } from '../oauth/check-token.ts';
import type { CheckedToken } from '../oauth/checked-token.ts';
import { type AccountLimits, createAccountLimits, RELAY_LIMITS, type RelayLimits } from './account-limits.ts';
import { lostError, OfflineError } from './offline-error.ts';
import { headersForDaemon } from './relay-headers.ts';
import { relayRequest } from './relay-request.ts';
import { relaySocket } from './relay-socket.ts';
import { relayTarget } from './relay-target.ts';
import type { RelayedRequest } from './relayed-request.ts';
import { createStrangers } from './strangers.ts';

const RETRY_AFTER_SECONDS = 5;

export interface RelayOptions {
  links: Pick<Links, 'find'>;
  tokens: Pick<TokenCheck, 'isKnown'> & {
    forDaemon(token: string, daemonId: string): Promise<Pick<CheckedToken, 'accountId'> | undefined>;
  };
  addresses: ClientAddresses;
  directory: Pick<DaemonDirectory, 'find'>;
  /** The proxy's own address, without a slash at the end. */
  issuer: string;
  log: Logger;
  limits?: RelayLimits;
}

/** Serves `/d/{daemonId}/...`: passes requests to a daemon over its link. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #limits: RelayLimits;
  readonly #accounts: AccountLimits;
  readonly #strangers = createStrangers();

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#limits = options.limits ?? RELAY_LIMITS;
    this.#accounts = createAccountLimits(this.#limits);
  }

  /** Answers a request. Its body must not have been read. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#admit(request, 'requests')
      .then((relayed) =>
        begin(relayed, () => {
          relayRequest(request, response, {
            ...relayed,
            bodyBytes: this.#limits.bodyBytes,
            refuse: (error) => refuse(response, error, this.#refuseOptions(request)),
          });
        }),
      )
      .catch((error: unknown) => refuse(response, error, this.#refuseOptions(request, error)));
  }

  /** Answers a request for an upgrade to WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#admit(request, 'sockets')
      .then((relayed) =>
        begin(relayed, () => {
          if (socket.destroyed) return relayed.leave();
          relaySocket(
            { request, socket, head },
            {
              ...relayed,
              refuse: (error) => refuseUpgrade(socket, error, this.#refuseOptions(request)),
            },
          );
        }),
      )
      .catch((error: unknown) => refuseUpgrade(socket, error, this.#refuseOptions(request, error)));
  }

  /** Checks in this order: token, limits of the account, whether the daemon is connected. */
  async #admit(request: IncomingMessage, kind: 'requests' | 'sockets'): Promise<RelayedRequest> {
    const { links, directory, issuer } = this.#options;
    const target = relayTarget(request.url ?? '');
    if (!target)
      throw new GamekeeperError('route_not_found', 'There is no daemon at this address.', {
        resolution: 'Use /d/{daemonId}/ followed by a path of the daemon, such as /d/{daemonId}/instances.',
      });
    const { daemonId, path } = target;
    const leave = this.#accounts.enter(await this.#accountOf(request, daemonId), kind, Date.now());
    try {
      const link = links.find(daemonId);
      if (!link) throw new OfflineError(await directory.find(daemonId));
      if (!link.isOpen) throw lostError();
      if (link.isFull)
        throw new GamekeeperError('rate_limited', 'Too many requests to this daemon are under way.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      const headers = {
        ...headersForDaemon(request.headers),
        'x-request-id': requestId(request),
        ':method': request.method ?? 'GET',
        ':path': path,
        ':scheme': 'https',
        ':authority': new URL(issuer).host,
      };
      return { link, headers, leave };
    } catch (error) {
      leave();
      throw error;
    }
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
    if (error !== undefined && !(error instanceof GamekeeperError))
      this.#options.log.error({ err: error }, 'a request could not be relayed');
    return {
      issuer: this.#options.issuer,
      requestId: requestId(request),
      ...(lastSeen && { extension: { lastSeen: lastSeen.toISOString() } }),
    };
  }
}

/** Gives the place back if the request cannot even be sent: the link may be closing. */
function begin({ leave }: RelayedRequest, send: () => void): void {
  try {
    send();
  } catch (error) {
    leave();
    throw error;
  }
}

function unauthenticated(detail: string): GamekeeperError {
  return new GamekeeperError('unauthenticated', detail, {
    resolution: "Send an access token of this proxy for this daemon as a bearer token. Its resource is the daemon's.",
  });
}
