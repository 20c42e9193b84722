import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { VerifiedUser } from '../../shared/contract/daemon/verified-user.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { CreateLink, LinkOutcome, LinkRequest } from '../../shared/schema/link.ts';
import { displayName } from '../../shared/schema/printable-line.ts';
import { awaitDecision, type DeviceCode, requestCode } from './device-flow.ts';
import { discover, type ProxyAddresses } from './discovery.ts';

export interface Approval {
  request: LinkRequest;
  accessToken: string;
  /** Who asked for the link. */
  by: VerifiedUser | null;
}

export interface LinkRequestsOptions {
  log: Logger;
  /** ISO time. */
  now: () => string;
  /** Makes the link once it is approved. Its error becomes the outcome of the request. */
  onApproved: (approval: Approval, signal: AbortSignal) => Promise<void>;
}

type Ending = Pick<LinkOutcome, 'outcome' | 'detail' | 'resolution'>;

/** Asks a proxy to be linked, and waits for the approval of its owner. One request at a time. */
export class LinkRequests {
  readonly #options: LinkRequestsOptions;
  /** From the first question to the proxy until the end. */
  #running: { abort: AbortController; ended: PromiseWithResolvers<void> } | undefined;
  #waiting: LinkRequest | undefined;
  #last: LinkOutcome | undefined;

  constructor(options: LinkRequestsOptions) {
    this.#options = options;
  }

  get waiting(): LinkRequest | null {
    return this.#waiting ?? null;
  }

  get last(): LinkOutcome | null {
    return this.#last ?? null;
  }

  /** Resolves once there is a code. Throws `already_in_progress`, `invalid_request`, `proxy_unavailable` or `proxy_refused`. */
  async begin({ url, name, scopes, telemetry = false }: CreateLink, by: VerifiedUser | null): Promise<LinkRequest> {
    if (this.#running)
      throw new GamekeeperError('already_in_progress', 'Another request to link this daemon is waiting.', {
        resolution:
          'Approve it, or cancel it on the page "Remote access" of the panel or with "gamekeeper link --cancel".',
      });
    const abort = new AbortController();
    const { signal } = abort;
    this.#running = { abort, ended: Promise.withResolvers() };
    try {
      const proxy = await discover(url, signal);
      const code = await requestCode(proxy, signal);
      signal.throwIfAborted();
      const request = this.#requestFor(proxy, code, {
        name: name ?? ownName(),
        scopes: [...new Set(scopes)],
        telemetry,
      });
      this.#waiting = request;
      void this.#finish(this.#follow({ proxy, code, request, by }, signal), request, signal);
      return request;
    } catch (error) {
      this.#release();
      throw signal.aborted ? new GamekeeperError('not_linked', 'The request was cancelled.') : error;
    }
  }

  /** Resolves once the request has ended; to false if there was none. */
  async cancel(): Promise<boolean> {
    const running = this.#running;
    running?.abort.abort();
    await running?.ended.promise;
    return running !== undefined;
  }

  #requestFor(
    { issuer }: ProxyAddresses,
    { userCode, verificationUri, verificationUriComplete, expiresInSeconds }: DeviceCode,
    asked: Pick<LinkRequest, 'name' | 'scopes' | 'telemetry'>,
  ): LinkRequest {
    const expiresAt = new Date(Date.parse(this.#options.now()) + expiresInSeconds * 1000).toISOString();
    return { id: randomUUID(), issuer, ...asked, userCode, verificationUri, verificationUriComplete, expiresAt };
  }

  async #follow(
    { proxy, code, request, by }: { proxy: ProxyAddresses; code: DeviceCode } & Omit<Approval, 'accessToken'>,
    signal: AbortSignal,
  ): Promise<Ending> {
    const decision = await awaitDecision(proxy, code, signal);
    if (decision.outcome !== 'approved') return decision;
    await this.#options.onApproved({ request, accessToken: decision.accessToken, by }, signal);
    return { outcome: 'approved' };
  }

  async #finish(following: Promise<Ending>, { id, issuer }: LinkRequest, signal: AbortSignal): Promise<void> {
    const { log, now } = this.#options;
    const { outcome, detail, resolution } = await following.catch((error: unknown): Ending => {
      if (signal.aborted) return { outcome: 'cancelled' };
      log.warn({ err: error, issuer }, 'could not link this daemon');
      return failure(error);
    });
    log.info({ issuer, outcome }, 'a request to link this daemon has ended');
    this.#last = { id, issuer, at: now(), outcome, ...(detail !== undefined && { detail, resolution }) };
    this.#release();
  }

  #release(): void {
    this.#waiting = undefined;
    this.#running?.ended.resolve();
    this.#running = undefined;
  }
}

function failure(error: unknown): Ending {
  if (!(error instanceof GamekeeperError)) return { outcome: 'failed', detail: 'An internal error occurred.' };
  return { outcome: 'failed', detail: error.message, resolution: error.resolution };
}

/** The machine's name, which its owner recognises in the proxy's list. */
function ownName(): string {
  const name = displayName.safeParse(hostname().slice(0, 64));
  return name.success ? name.data : 'Gamekeeper';
}
