import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { hostOf } from '../../http/own-address.ts';
import { requestId } from '../../http/request.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import { type RefuseOptions, refuse, refuseUpgrade } from '../http/refuse.ts';
import type { AccountLimits } from '../relay/account-limits.ts';
import type { DaemonStreams } from '../relay/daemon-streams.ts';
import { OfflineError } from '../relay/offline-error.ts';
import type { Upgrade } from '../relay/relay-socket.ts';
import { createStrangers } from '../relay/strangers.ts';
import { isDatabaseAway } from '../store/database.ts';
import type { DaemonHost } from './daemon-domain.ts';
import { isNavigation, requireOwnPage, requireOwnSocket } from './own-page.ts';
import type { PanelParts } from './panel.ts';
import { createPanelCookies, type PanelCookies } from './panel-cookies.ts';
import { stateOf } from './panel-entries.ts';
import { PanelRelay } from './panel-relay.ts';
import type { PanelSession } from './panel-sessions.ts';

/** Where browsers come back to from the proxy. Daemons have no such path. */
export const ENTER_PATH = '/.gamekeeper/enter';
const SIGN_OUT_PATH = '/api/logout';
const NO_STORE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

export interface PanelHostsOptions {
  panel: PanelParts;
  issuer: string;
  streams: DaemonStreams;
  accounts: AccountLimits;
  addresses: ClientAddresses;
  log: Logger;
}

/** Serves the hosts of daemons: a browser that is signed in at the proxy uses the panel there (docs/decisions/0018). */
export class PanelHosts {
  readonly #options: PanelHostsOptions;
  readonly #cookies: PanelCookies;
  readonly #relay: PanelRelay;
  readonly #strangers = createStrangers();

  constructor(options: PanelHostsOptions) {
    this.#options = options;
    this.#cookies = createPanelCookies(options.issuer);
    this.#relay = new PanelRelay(options);
  }

  /** Answers a request to the host of a daemon. Returns false, and does nothing, if it is to another host. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const host = hostOf(request);
    if (!this.#options.panel.domain.covers(host)) return false;
    this.#serve(request, response, host).catch((error: unknown) => this.#refuse(request, response, error));
    return true;
  }

  /** The same for a request for an upgrade to WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const host = hostOf(request);
    if (!this.#options.panel.domain.covers(host)) return false;
    this.#open({ request, socket, head }, host).catch((error: unknown) =>
      refuseUpgrade(socket, error, this.#refuseOptions(request, error)),
    );
    return true;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, host: string | undefined): Promise<void> {
    const { panel, issuer } = this.#options;
    const at = panel.domain.daemonAt(host);
    if (!at || !request.url?.startsWith('/')) {
      if (isNavigation(request)) return redirect(response, `${issuer}/account`);
      throw new GamekeeperError('route_not_found', 'There is no computer at this address.', {
        resolution: `Go to ${issuer}.`,
      });
    }
    const [path, query] = request.url.split('?', 2);
    if (path === ENTER_PATH) return this.#enter(request, response, { at, query });
    const session = await this.#sessionOf(request, at);
    if (!session) return this.#begin(request, response, at);
    requireOwnPage(request, at.origin);
    if (path === SIGN_OUT_PATH && request.method === 'POST') return this.#signOut(response, session);
    await this.#relay.request(request, response, {
      visitor: { daemonId: at.daemonId, session },
      refuse: (error) => this.#refuse(request, response, error),
    });
  }

  /** Sends a browser without a session to the proxy, which knows who it is. */
  #begin(request: IncomingMessage, response: ServerResponse, { daemonId }: DaemonHost): void {
    const { issuer } = this.#options;
    if (!isNavigation(request))
      throw new GamekeeperError('unauthenticated', 'This browser is not signed in here.', {
        resolution: `Load the page again, or sign in at ${issuer}.`,
      });
    const nonce = this.#cookies.beginEntry(request, response);
    redirect(response, `${issuer}/panel/${daemonId}?state=${stateOf(nonce)}`);
  }

  /** Begins the session of a browser that comes back with a code. */
  async #enter(
    request: IncomingMessage,
    response: ServerResponse,
    { at: { daemonId }, query }: { at: DaemonHost; query: string | undefined },
  ): Promise<void> {
    const { panel, issuer, addresses } = this.#options;
    const giveBack = this.#strangers.enter(addresses.of(request), Date.now());
    const { nonce, path } = this.#cookies.entry(request);
    const code = new URLSearchParams(query).get('code') ?? '';
    const owner = isNavigation(request) ? await panel.entries.redeem(code, { daemonId, nonce }) : undefined;
    const value = owner && (await panel.sessions.begin(owner));
    if (value === undefined) return redirect(response, `${issuer}/panel/${daemonId}?again=1`);
    giveBack();
    this.#cookies.setSession(response, value);
    redirect(response, path);
  }

  async #signOut(response: ServerResponse, { name }: PanelSession): Promise<void> {
    await this.#options.panel.sessions.end(name);
    this.#cookies.clearSession(response);
    response.writeHead(204, NO_STORE).end();
  }

  async #sessionOf(request: IncomingMessage, { daemonId }: DaemonHost): Promise<PanelSession | undefined> {
    const value = this.#cookies.session(request);
    if (value === undefined) return undefined;
    const { panel, addresses } = this.#options;
    // A flood of invented cookies behind the same address must not keep out whoever has a good one.
    const isKnown = panel.known.has(value);
    const giveBack = isKnown ? () => undefined : this.#strangers.enter(addresses.of(request), Date.now());
    const session = await panel.sessions.find(value, daemonId);
    if (session) {
      giveBack();
      panel.known.add(value);
    } else panel.known.delete(value);
    return session;
  }

  async #open(upgrade: Upgrade, host: string | undefined): Promise<void> {
    const { request, socket } = upgrade;
    const at = this.#options.panel.domain.daemonAt(host);
    if (at) requireOwnSocket(request, at.origin);
    const session = at && (await this.#sessionOf(request, at));
    if (!session) throw new GamekeeperError('unauthenticated', 'This browser is not signed in here.');
    await this.#relay.socket(upgrade, {
      visitor: { daemonId: at.daemonId, session },
      refuse: (error) => refuseUpgrade(socket, error, this.#refuseOptions(request, error)),
    });
  }

  /** A person sees on a page of the proxy that the computer is off. */
  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { panel, issuer } = this.#options;
    const at = panel.domain.daemonAt(hostOf(request));
    if (at && error instanceof OfflineError && isNavigation(request))
      redirect(response, `${issuer}/panel/${at.daemonId}`);
    else refuse(response, error, this.#refuseOptions(request, error));
  }

  #refuseOptions(request: IncomingMessage, error: unknown): RefuseOptions {
    const { issuer, log } = this.#options;
    if (!(error instanceof GamekeeperError) && !isDatabaseAway(error))
      log.error({ err: error }, 'a request to a panel could not be relayed');
    const lastSeen = error instanceof OfflineError ? error.lastSeen : undefined;
    return {
      issuer,
      requestId: requestId(request),
      ...(lastSeen && { extension: { lastSeen: lastSeen.toISOString() } }),
    };
  }
}

function redirect(response: ServerResponse, location: string): void {
  const { req } = response;
  response.writeHead(303, { ...NO_STORE, location, ...(!req.complete && { connection: 'close' }) }).end();
}
