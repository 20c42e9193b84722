import { setTimeout as sleep } from 'node:timers/promises';
import { backOffDelay } from '../../../shared/domain/back-off.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import { whyNotAllowed } from './allowed-url.ts';

/** A response that cannot be used. Its message continues a sentence that begins with the host. */
export class VendorAnswer extends Error {
  override name = 'VendorAnswer';
  /** How long the vendor asks us to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class NotFoundAtVendor extends VendorAnswer {}

/** The file has no such range (RFC 9110, 15.5.17). */
export class NoSuchRange extends VendorAnswer {}

/** The recipient of a request, and the contact address that it is sent. */
export interface Peer {
  base: string;
  /** Contact address of the owner, for the User-Agent. */
  contact: string | undefined;
}

const MAX_REDIRECTS = 5;
const ATTEMPTS = 4;
const BACK_OFF = { firstMs: 250, maxMs: 4_000 };
/** Longest `Retry-After` to follow. Milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Statuses that may go away: too many requests, and temporary failures (RFC 9110, 15.6). */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

export interface RequestOptions {
  signal: AbortSignal;
  headers?: Record<string, string>;
  /** Sent as the body of a POST. Only for queries: it may be sent several times. */
  json?: object;
  /** If the vendor asks to wait longer than this, the request fails with that message. Milliseconds; default: it waits. */
  patienceMs?: number;
  /** Default: 4. */
  attempts?: number;
  /** Default: 5. */
  maxRedirects?: number;
}

/**
 * Sends a request and checks the status; temporary failures are retried. Follows redirects only to public hosts over HTTPS, or within the
 * host that was asked, so that nobody can reach this machine's services or network through it (CVE-2024-34068). Throws VendorAnswer, and
 * what fetch throws.
 */
export async function request(vendor: Peer, url: string, options: RequestOptions): Promise<Response> {
  const { attempts = ATTEMPTS, patienceMs = MAX_RETRY_AFTER_MS } = options;
  for (let attempt = 1; ; attempt++) {
    const response = await attemptOf(vendor, url, options, attempt);
    if (response === undefined) continue;
    if (response.ok) return response;
    await response.body?.cancel();
    if (!PASSING.includes(response.status)) throw answerOf(response.status);
    const askedMs = askedWaitOf(response);
    if (attempt === attempts) throw askedMs ? askedToWait(response.status, askedMs) : answerOf(response.status);
    const waitMs = Math.min(MAX_RETRY_AFTER_MS, askedMs ?? delayOf(attempt));
    if (waitMs > patienceMs) throw askedToWait(response.status, waitMs);
    await sleep(waitMs, undefined, { signal: options.signal });
  }
}

/** Returns `undefined` if the network failed and there are attempts left. */
async function attemptOf(
  vendor: Peer,
  url: string,
  options: RequestOptions,
  attempt: number,
): Promise<Response | undefined> {
  try {
    return await followRedirects(vendor, url, options);
  } catch (error) {
    const isLast = attempt === (options.attempts ?? ATTEMPTS);
    if (error instanceof VendorAnswer || options.signal.aborted || isLast) throw error;
    await sleep(delayOf(attempt), undefined, { signal: options.signal });
    return undefined;
  }
}

async function followRedirects({ base, contact }: Peer, url: string, options: RequestOptions): Promise<Response> {
  const { maxRedirects = MAX_REDIRECTS } = options;
  let target = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const why = await whyNotAllowed(target, base);
    if (why !== undefined)
      throw new VendorAnswer(`redirected to ${target.host}, which ${why}. Nothing was fetched from there`);
    const response = await fetch(target, {
      headers: {
        'user-agent': userAgent(contact),
        ...(options.json && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.json && { method: 'POST', body: JSON.stringify(options.json) }),
      redirect: 'manual',
      signal: options.signal,
    });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    target = new URL(location, target);
  }
  throw new VendorAnswer(maxRedirects === 0 ? 'redirected' : `redirected more than ${maxRedirects} times`);
}

function answerOf(status: number): VendorAnswer {
  const message = `returned status ${status}`;
  if (status === 404 || status === 410) return new NotFoundAtVendor(message);
  return status === 416 ? new NoSuchRange(message) : new VendorAnswer(message);
}

function askedToWait(status: number, waitMs: number): VendorAnswer {
  const seconds = Math.ceil(waitMs / 1000);
  return new VendorAnswer(`returned status ${status} and asks to wait ${seconds} s`, seconds);
}

/**
 * Returns how long the vendor asks to wait, in milliseconds, or `undefined`. Modrinth uses `X-Ratelimit-Reset`, in seconds
 * (docs.modrinth.com/api, "Ratelimits").
 */
function askedWaitOf({ status, headers }: Response): number | undefined {
  const said = headers.get('retry-after') ?? (status === 429 ? headers.get('x-ratelimit-reset') : null);
  if (said === null) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function delayOf(attempt: number): number {
  return backOffDelay(BACK_OFF, attempt, Math.random());
}

/** Fill v3 requires a name and a contact (docs.papermc.io, "Downloads Service"). */
function userAgent(contact: string | undefined): string {
  return `Gamekeeper/${VERSION} (${contact ?? 'game server daemon, no contact set'})`;
}
