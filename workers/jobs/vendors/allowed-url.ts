import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Addresses that are no public ones (IANA special-purpose registries): this machine, its network, a cloud's metadata. */
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
 * Why a vendor's answer may not send us to this address, as the end of a sentence about it; `undefined` where it may. The owner chose
 * `base`, so its own host is always allowed; any other must be a public one and prove by TLS that it is who it is, or a vendor, or
 * whoever speaks in its place, could make us ask what only this machine can reach (CVE-2024-34068, GHSA-6rg3-8h8x-5xfv of Wings).
 */
export async function whyNotAllowed(url: URL, base: string): Promise<string | undefined> {
  if (url.username !== '' || url.password !== '') return 'holds a password';
  if (url.host === new URL(base).host && /^https?:$/.test(url.protocol)) return undefined;
  if (url.protocol !== 'https:') return 'is not https';
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''));
  return addresses.some(isNotPublic) ? 'is not a public address' : undefined;
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    // Behind a proxy, perhaps, that knows the name; where there is none, the request itself says so.
    return [];
  }
}

function isNotPublic(address: string): boolean {
  return NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
