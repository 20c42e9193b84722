import type * as z from 'zod';
import { VENDORS, type VendorName } from '../../../shared/domain/vendors.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { NotFoundAtVendor, type Peer, type RequestOptions, request, VendorAnswer } from './request.ts';

/** A vendor whose API is used (`base` without a trailing slash). `vendors` in the settings can replace its address. */
export interface Vendor extends Peer {
  /** `undefined`: named by a custom definition. */
  name: VendorName | undefined;
}

export type VendorAddresses = { readonly [Name in VendorName | 'contact']?: string | undefined };

/** Responses have some kilobytes; Mojang's list of all versions has 300. Milliseconds, for all attempts. */
const ANSWER_TIMEOUT_MS = 60_000;

export function vendorOf(name: VendorName, addresses: VendorAddresses): Vendor {
  return { name, base: (addresses[name] ?? VENDORS[name]).replace(/\/$/, ''), contact: addresses.contact };
}

/** Requests JSON of a known shape. Throws `vendor_unavailable`. */
export async function fetchJson<Schema extends z.ZodType>(
  { schema, ...question }: Question & { schema: Schema },
  signal: AbortSignal,
): Promise<{ value: z.infer<Schema>; text: string }> {
  const { vendor, url } = question;
  const text = await fetchText(question, signal);
  const parsed = schema.safeParse(jsonOrUndefined(text));
  if (!parsed.success)
    throw vendorError(vendor, `${hostOf(url)} sent a response that Gamekeeper does not understand.`, parsed.error);
  return { value: parsed.data, text };
}

type Question = { vendor: Vendor; url: string } & Pick<RequestOptions, 'json' | 'patienceMs'>;

/** Requests text, and drops a byte order mark. Throws `vendor_unavailable`. */
export async function fetchText({ vendor, url, ...options }: Question, signal: AbortSignal): Promise<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  return asVendorError(vendor, url, signal, async () =>
    new TextDecoder().decode(await readBytes(await request(vendor, url, { ...options, signal: limited }), MAX_TEXT)),
  );
}

/** Returns `undefined` if the vendor returns 404. */
export async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GamekeeperError && error.cause instanceof NotFoundAtVendor) return undefined;
    throw error;
  }
}

/** Runs a request to a vendor, and turns network errors into `vendor_unavailable`. */
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
    throw vendorError(vendor, `${hostOf(url)} ${whatFailed(error)}.`, error);
  }
}

/** Every vendor error includes the two things that always help. */
export function vendorError({ name }: Vendor, detail: string, cause?: unknown): GamekeeperError {
  const mirror = name ? `, or set vendors.${name} in the settings to a mirror` : '';
  return new GamekeeperError('vendor_unavailable', detail, {
    resolution: `Check this machine's internet connection and try again${mirror}.`,
    ...(cause instanceof VendorAnswer &&
      cause.retryAfterSeconds !== undefined && { retryAfterSeconds: cause.retryAfterSeconds }),
    cause,
  });
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

/** fetch() only says "fetch failed"; the cause has the reason. */
function whatFailed(error: unknown): string {
  if (error instanceof Error && error.name === 'VendorAnswer') return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'could not be reached in time';
  const cause = error instanceof Error ? error.cause : undefined;
  return `could not be reached${cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''}`;
}

/** The longest list, Mojang's of all versions, has 300 KB. Bytes. */
const MAX_TEXT = 8 * 1024 * 1024;

/** Returns the body. Throws VendorAnswer if it is too long. */
export async function readBytes(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > most) throw new VendorAnswer(`sent more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
