import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { isPublicAddress } from '../../../../shared/node/public-address.ts';

const TIMEOUT_MS = 10_000;
const LONGEST_RETRY_S = 3_600;

/** How a request ended. */
export interface Delivery {
  delivered: boolean;
  /** For the owner. */
  result: string;
  /** The receiver asks to wait. Seconds. */
  retryAfter?: number;
}

export interface SendOptions {
  url: string;
  body: string;
  headers: Record<string, string>;
  /** The operator allows addresses of the own network, and http. */
  allowsPrivate: boolean;
}

/**
 * Posts to an address that anybody with an account has chosen. Only public addresses are connected to: names are resolved once, and the address that was
 * checked is the one that is used. Redirects are not followed, and the answer is not read.
 */
export async function send({ url, body, headers, allowsPrivate }: SendOptions): Promise<Delivery> {
  const target = URL.parse(url);
  const host = target?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isHttps = target?.protocol === 'https:';
  if (!target || !(isHttps || (allowsPrivate && target.protocol === 'http:')))
    return failed('the address is not an https URL');
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return failed(NOT_PUBLIC);
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isHttps ? httpsRequest : httpRequest)(target, {
        method: 'POST',
        headers: { ...headers, ...length },
        // A kept connection would skip the look-up.
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(!allowsPrivate && { lookup: publicLookup }),
      });
      request.once('response', resolve);
      request.once('error', reject);
      request.end(body);
    });
    response.on('error', () => undefined);
    response.destroy();
    return deliveryOf(response);
  } catch (error) {
    return failed(reasonOf(error));
  }
}

const NOT_PUBLIC = 'the address is not on the internet';

function deliveryOf({ statusCode = 0, headers }: IncomingMessage): Delivery {
  if (statusCode >= 200 && statusCode < 300) return { delivered: true, result: 'Delivered' };
  const seconds = Number(headers['retry-after']);
  const waits = statusCode === 429 && seconds > 0;
  return {
    ...failed(`it answered with status ${statusCode}`),
    ...(waits && { retryAfter: Math.min(seconds, LONGEST_RETRY_S) }),
  };
}

function failed(reason: string): Delivery {
  return { delivered: false, result: `Not delivered: ${reason}` };
}

function reasonOf(error: unknown): string {
  if (error instanceof NotPublicError) return NOT_PUBLIC;
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'it did not answer in 10 seconds';
  return `it cannot be reached (${errorCode(error) ?? 'unknown error'})`;
}

class NotPublicError extends Error {}

const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
    const [first] = found;
    if (error || !first) done(error ?? new Error('no address'), '', 0);
    else if (!found.every(({ address }) => isPublicAddress(address))) done(new NotPublicError(NOT_PUBLIC), '', 0);
    else if (options.all) done(null, found);
    else done(null, first.address, first.family);
  });
};
