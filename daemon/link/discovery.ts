import * as z from 'zod';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { newPairing } from '../../shared/schema/pairing.ts';
import { askProxy } from './ask-proxy.ts';

/** What a proxy says about itself (RFC 8414, section 2; RFC 8628, section 4). */
const metadata = z.object({
  issuer: z.string(),
  device_authorization_endpoint: z.string(),
  token_endpoint: z.string(),
});

export interface ProxyAddresses {
  issuer: string;
  deviceAuthorization: string;
  token: string;
}

/**
 * Finds the endpoints of a proxy. `address` is what a person types: without a scheme it gets https. Throws `invalid_request` for an address
 * that cannot be trusted, `proxy_unavailable`, or `proxy_refused` if it is no proxy.
 */
export async function discover(address: string, signal: AbortSignal): Promise<ProxyAddresses> {
  const url = trustedAddress(address);
  const path = url.pathname.replace(/\/+$/, '');
  const { status, body } = await askProxy(`${url.origin}/.well-known/oauth-authorization-server${path}`, {
    method: 'GET',
    signal,
  });
  const described = metadata.safeParse(body);
  if (status !== 200 || !described.success) throw noProxy(`${url.origin}${path} is not a hosted proxy of Gamekeeper`);
  const { issuer, device_authorization_endpoint: deviceAuthorization, token_endpoint: token } = described.data;
  // RFC 8414, section 3.3: otherwise one proxy could pass for another.
  if (issuer.replace(/\/+$/, '') !== `${url.origin}${path}`)
    throw noProxy(`${url.origin}${path} calls itself "${issuer.slice(0, 200)}"`);
  requireSameOrigin(issuer, [deviceAuthorization, token]);
  return { issuer, deviceAuthorization, token };
}

/**
 * Throws `proxy_refused` unless each URL has the proxy's own origin: a proxy must not make this machine ask other addresses, and nobody
 * should enter a code anywhere else.
 */
export function requireSameOrigin(issuer: string, urls: readonly string[]): void {
  const { origin } = new URL(issuer);
  const other = urls.find((url) => URL.parse(url)?.origin !== origin);
  if (other !== undefined) throw noProxy(`${origin} names an address of another host: ${other.slice(0, 200)}`);
}

function trustedAddress(address: string): URL {
  const typed = address.trim();
  const checked = newPairing.shape.issuer.safeParse(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`,
  );
  if (checked.success) return new URL(checked.data);
  throw new GamekeeperError('invalid_request', `The address of the proxy ${checked.error.issues[0]?.message}.`, {
    resolution: 'Use an address such as https://proxy.example.net.',
  });
}

function noProxy(detail: string): GamekeeperError {
  return new GamekeeperError('proxy_refused', `${detail}.`, {
    resolution: 'Check the address: it is the one that you open in the browser to sign in at the proxy.',
  });
}
