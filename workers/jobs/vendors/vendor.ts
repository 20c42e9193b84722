import type * as z from 'zod';
import { VERSION } from '../../../shared/domain/version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { whyNotAllowed } from './allowed-url.ts';

/** Somebody whose API we ask, under the name that `vendors` in the settings may give another address. */
export interface Vendor {
  name: 'mojang' | 'adoptium';
  /** Without a slash at the end. */
  base: string;
}

/** Some vendors refuse programs that do not say who they are. */
const USER_AGENT = `Gamekeeper/${VERSION}`;
/** A vendor's answer is some kilobytes. Milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;
/** RFC 9110, section 15.4, as far as they are for a GET. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/** Asks for JSON of a known shape. Throws `launch_failed`, saying who failed how and what to do. */
export async function fetchJson<Schema extends z.ZodType>(
  { vendor, url, schema }: { vendor: Vendor; url: string; schema: Schema },
  signal: AbortSignal,
): Promise<{ value: z.infer<Schema>; text: string }> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  const text = await asVendorError(vendor, url, signal, async () =>
    textOf(vendor, url, await request(vendor, url, limited)),
  );
  const parsed = schema.safeParse(jsonOrUndefined(text));
  if (!parsed.success)
    throw vendorError(vendor, `${hostOf(url)} sent an answer that Gamekeeper does not understand.`, parsed.error);
  return { value: parsed.data, text };
}

/** Sends a GET, goes where it is sent to as far as that is allowed, and checks the status. For callers that wrap it in `asVendorError`. */
export async function request(vendor: Vendor, url: string, signal: AbortSignal): Promise<Response> {
  let current = new URL(url);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const why = await whyNotAllowed(current, vendor.base);
    if (why !== undefined)
      throw vendorError(vendor, `${hostOf(url)} led to ${current.host}, which ${why}. Nothing was fetched from there.`);
    const response = await fetch(current, { headers: { 'user-agent': USER_AGENT }, redirect: 'manual', signal });
    if (response.ok) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null || !URL.canParse(location, current.href))
      throw vendorError(vendor, `${current.host} answered with status ${response.status}.`);
    current = new URL(location, current);
  }
  throw vendorError(vendor, `${hostOf(url)} sent us on more than ${MOST_REDIRECTS} times.`);
}

/** The whole text of an answer. Throws where it is larger than any list of a vendor's. */
async function textOf(vendor: Vendor, url: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER_BYTES) throw vendorError(vendor, `${hostOf(url)} sent an answer that is far too large.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Runs something that talks to a vendor; what the network does to it becomes an error that says so. */
export async function asVendorError<T>(
  vendor: Vendor,
  url: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof GamekeeperError) throw error;
    throw vendorError(vendor, `${hostOf(url)} could not be reached${reasonOf(error)}.`, error);
  }
}

/** A failure of a vendor's, with the way out that always exists. */
export function vendorError(vendor: Vendor, detail: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('launch_failed', detail, {
    resolution: `Check this machine's internet connection and try again, or set vendors.${vendor.name} in the settings to a mirror.`,
    cause,
  });
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

/** fetch() says only "fetch failed"; why is in its cause. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return ' in time';
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it.
    return undefined;
  }
}
