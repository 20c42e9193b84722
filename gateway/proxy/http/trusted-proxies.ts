import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../../shared/node/loopback.ts';

/** Returns whether a reverse proxy has this address. */
export type IsTrustedProxy = (address: string) => boolean;

const BITS = { ipv4: 32, ipv6: 128 };

/**
 * Reads addresses and subnets such as `10.0.0.5, 10.88.0.0/16`, in addition to this machine. Returns `undefined` if an entry is neither, or is
 * every address.
 */
export function trustedProxies(text: string): IsTrustedProxy | undefined {
  const trusted = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', length, ...more] = entry.split('/');
    const version = isIP(address);
    if (version === 0 || more.length > 0) return undefined;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    const bits = length === undefined ? BITS[family] : Number(length);
    if (!/^\d{1,3}$/.test(length ?? '1') || bits < 1 || bits > BITS[family]) return undefined;
    trusted.addSubnet(address, bits, family);
  }
  return (address) => isLoopback(address) || trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
