import { isIPv6 } from 'node:net';

/** A household or server gets at least a /64 of IPv6 and can use any address in it (RFC 6177). */
const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Any program on this machine can use all of 127.0.0.0/8. */
const THIS_MACHINE = 'this machine';

/** Returns the key for limits by address: an IPv4 address, the /64 network of an IPv6 address, or one for all loopback addresses. */
export function addressGroup(address: string): string {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  if (plain.startsWith('127.') || plain === '::1') return THIS_MACHINE;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = address.split('%', 1).join().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, GROUPS_OF_NETWORK);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
