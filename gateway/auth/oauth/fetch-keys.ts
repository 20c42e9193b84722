import type { JSONWebKeySet } from 'jose';
import { readText } from '../../../shared/node/read-text.ts';

const TIMEOUT_MS = 5_000;
/** Enough for a hundred RSA keys. A proxy has two. */
const MOST_BYTES = 64 * 1024;

/** Fetches a JSON Web Key Set (RFC 7517, section 5). Rejects redirects, and answers that are too large or too slow. */
export async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'application/jwk-set+json, application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the proxy answered ${response.status} to the question for its keys`);
  }
  return JSON.parse(await readText(response, MOST_BYTES)) as JSONWebKeySet;
}
