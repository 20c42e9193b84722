import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Addresses that are not public (IANA special-purpose registries): this machine, its network, a cloud's metadata service. */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6');

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
  return addresses.some(isNotPublic) ? 'is not a public address' : undefined;
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

function isNotPublic(address: string): boolean {
  return NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
