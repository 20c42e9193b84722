import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { readText } from '../../shared/node/read-text.ts';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;
/** How much of a proxy's own words an error quotes. */
const MOST_QUOTED = 200;

export interface ProxyQuestion {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | URLSearchParams;
  signal?: AbortSignal;
}

export interface ProxyAnswer {
  status: number;
  /** Parsed JSON; `undefined` if the body is something else. */
  body: unknown;
}

/**
 * Sends a request to a hosted proxy, with limits on the time and size of its answer, and without following redirects. Throws
 * `proxy_unavailable` without an answer and for a 5xx answer, `proxy_refused` for a redirect.
 */
export async function askProxy(url: string, { signal, headers, ...rest }: ProxyQuestion): Promise<ProxyAnswer> {
  const { origin } = new URL(url);
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, {
      ...rest,
      redirect: 'manual',
      headers: { accept: 'application/json', ...headers },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status } = response;
    const text = await readText(response, MOST_BYTES);
    if (status >= 500) throw unavailable(origin, `it answered ${status}`);
    if (status >= 300 && status < 400)
      throw new GamekeeperError('proxy_refused', `${origin} redirects to another address.`, {
        resolution: 'Use the address that the proxy itself shows.',
      });
    return { status, body: parsed(text) };
  } catch (error) {
    if (error instanceof GamekeeperError) throw error;
    signal?.throwIfAborted();
    throw unavailable(origin, reasonOf(error), error);
  }
}

/** Returns what a proxy says about an error: the detail of a problem (RFC 9457) or of an OAuth error (RFC 6749, section 5.2). */
export function wordsOf({ status, body }: ProxyAnswer): string {
  const { detail, error_description: description, error } = (body ?? {}) as Record<string, unknown>;
  const words = [detail, description, error].find((one): one is string => typeof one === 'string' && one !== '');
  return words === undefined ? `status ${status}` : words.slice(0, MOST_QUOTED);
}

function unavailable(origin: string, reason: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('proxy_unavailable', `The proxy ${origin} does not answer: ${reason}.`, {
    resolution: 'Check the address, and that this machine can reach the proxy.',
    cause,
  });
}

function reasonOf(error: unknown): string {
  if ((error as Error).name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} seconds`;
  // fetch wraps the error of the connection.
  const { cause = error } = error as { cause?: unknown };
  return (cause as Error).message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
