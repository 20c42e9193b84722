import { readFile } from 'node:fs/promises';

/** The kernel writes addresses as one number in its own byte order (proc_net_route(5)). */
const DEFAULT_ROUTE = /^\S+\t00000000\t([0-9A-F]{8})\t([0-9A-F]{4})\t/gm;
const IS_GATEWAY = 0x2;

/** Resolves to the IPv4 address of the router; `undefined` if there is none. Known on Linux only. */
export async function defaultGateway(): Promise<string | undefined> {
  const routes = await readFile('/proc/net/route', 'latin1').catch(() => '');
  for (const [, address = '', flags = ''] of routes.matchAll(DEFAULT_ROUTE))
    if (Number.parseInt(flags, 16) & IS_GATEWAY) return Buffer.from(address, 'hex').reverse().join('.');
  return undefined;
}
