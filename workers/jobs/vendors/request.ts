import { setTimeout as sleep } from 'node:timers/promises';
import { backOffDelay } from '../../../shared/domain/back-off.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import { whyNotAllowed } from './allowed-url.ts';

/** What a server answered is not what was asked for; the message goes on from its name. */
export class VendorAnswer extends Error {
  override name = 'VendorAnswer';
  /** When they want to be asked again, where they said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The vendor has no such thing. */
export class NotFoundAtVendor extends VendorAnswer {}

/** The file has no such range (RFC 9110, 15.5.17). */
export class NoSuchRange extends VendorAnswer {}

/** Who is asked, and what is said to them about us. */
export interface Peer {
  /** The address that the settings give for them. */
  base: string;
  /** Where whoever runs this Gamekeeper can be asked. */
  contact: string | undefined;
}

/** Redirects in a row. */
const MAX_REDIRECTS = 5;
/** How often a request is made in all. */
const ATTEMPTS = 4;
const BACK_OFF = { firstMs: 250, maxMs: 4_000 };
/** Nobody waits longer for a `Retry-After`. Milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Too many requests, and what a server says that may be well again in a moment (RFC 9110, 15.6). */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

export interface RequestOptions {
  signal: AbortSignal;
  headers?: Record<string, string>;
  /** Sent as the body of a POST. Only for questions: it may be sent several times. */
  json?: object;
  /** Who would have to wait longer than this is told so instead. Milliseconds; default: they wait. */
  patienceMs?: number;
}

/**
 * Sends a request and checks the status; what may pass is tried again. Follows redirects only to public hosts over HTTPS or within the host that was asked,
 * so that nobody leads us to the services of this machine or its network (CVE-2024-34068). Throws VendorAnswer and what fetch throws.
 */
export async function request(vendor: Peer, url: string, options: RequestOptions): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await attemptOf(vendor, url, options, attempt);
    if (response === undefined) continue;
    if (response.ok) return response;
    await response.body?.cancel();
    if (!PASSING.includes(response.status) || attempt === ATTEMPTS) throw answerOf(response.status);
    const waitMs = waitOf(response, attempt);
    if (waitMs > (options.patienceMs ?? MAX_RETRY_AFTER_MS)) throw askedToWait(response.status, waitMs);
    await sleep(waitMs, undefined, { signal: options.signal });
  }
}

/** One attempt; `undefined` where the network failed and there is another. */
async function attemptOf(
  vendor: Peer,
  url: string,
  options: RequestOptions,
  attempt: number,
): Promise<Response | undefined> {
  try {
    return await followRedirects(vendor, url, options);
  } catch (error) {
    if (error instanceof VendorAnswer || options.signal.aborted || attempt === ATTEMPTS) throw error;
    await sleep(delayOf(attempt), undefined, { signal: options.signal });
    return undefined;
  }
}

async function followRedirects({ base, contact }: Peer, url: string, options: RequestOptions): Promise<Response> {
  let target = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const why = await whyNotAllowed(target, base);
    if (why !== undefined)
      throw new VendorAnswer(`led to ${target.host}, which ${why}. Nothing was fetched from there`);
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
  throw new VendorAnswer(`sent us on more than ${MAX_REDIRECTS} times`);
}

function answerOf(status: number): VendorAnswer {
  const message = `answered with status ${status}`;
  if (status === 404 || status === 410) return new NotFoundAtVendor(message);
  return status === 416 ? new NoSuchRange(message) : new VendorAnswer(message);
}

function askedToWait(status: number, waitMs: number): VendorAnswer {
  const seconds = Math.ceil(waitMs / 1000);
  return new VendorAnswer(`answered with status ${status} and wants us to wait ${seconds} s`, seconds);
}

/** Modrinth says it in `X-Ratelimit-Reset`, in seconds (docs.modrinth.com/api, "Ratelimits"). */
function waitOf(response: Response, attempt: number): number {
  const { status, headers } = response;
  const said = headers.get('retry-after') ?? (status === 429 ? headers.get('x-ratelimit-reset') : null);
  if (said === null) return delayOf(attempt);
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms)) : delayOf(attempt);
}

function delayOf(attempt: number): number {
  return backOffDelay(BACK_OFF, attempt, Math.random());
}

/** Fill v3 wants to know who asks and where they can be reached (docs.papermc.io, "Downloads Service"). */
function userAgent(contact: string | undefined): string {
  return `Gamekeeper/${VERSION} (${contact ?? 'game server daemon, no contact set'})`;
}
