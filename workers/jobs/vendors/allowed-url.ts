import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../../shared/node/public-address.ts';

/**
 * Returns why a vendor's response must not lead to this address, as the end of a sentence, or `undefined` if it may. The host of `base`,
 * which the owner chose, is always allowed, but not over plain HTTP if the owner chose HTTPS. Any other host must be public and use HTTPS;
 * otherwise a vendor, or an impostor, could make Gamekeeper send requests that only this machine can send (CVE-2024-34068,
 * GHSA-6rg3-8h8x-5xfv of Wings).
 */
export async function whyNotAllowed(url: URL, base: string): Promise<string | undefined> {
  if (url.username !== '' || url.password !== '') return 'contains a password';
  const { host, protocol } = new URL(base);
  if (url.host === host && (url.protocol === protocol || url.protocol === 'https:')) return undefined;
  if (url.protocol !== 'https:') return 'is not https';
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''));
  return addresses.every(isPublicAddress) ? undefined : 'is not a public address';
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    // A proxy may know the name. Without a proxy, the request itself fails.
    return [];
  }
}
