import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { GameAddress } from '../../../shared/domain/tunnel/game-address.ts';

export const DEFAULT_PORTS = { java: 25_565, bedrock: 19_132 } as const;

const LOOPBACK = '127.0.0.1';
const SRV_TIMEOUT_MS = 2_000;
const SRV_TRIES = 2;

/** An address that a connection can be opened to. */
export interface NumericAddress {
  ip: string;
  port: number;
}

/**
 * Finds the address that Minecraft would connect to. Without a port, Java Edition asks for an SRV record first (minecraft.wiki, "Java
 * Edition protocol/Server List Ping"). Throws the error of the look-up, with its code, for example ENOTFOUND.
 */
export async function resolveAddress(
  { host, port }: GameAddress,
  edition: 'java' | 'bedrock',
): Promise<NumericAddress> {
  if (isOwnName(host)) return { ip: LOOPBACK, port: port ?? DEFAULT_PORTS[edition] };
  const record = port === undefined && edition === 'java' && isIP(host) === 0 ? await srvRecord(host) : undefined;
  const { address: ip } = await lookup(record?.name ?? host, { order: 'ipv4first' });
  return { ip, port: record?.port ?? port ?? DEFAULT_PORTS[edition] };
}

/** RFC 6761, section 6.3: such names never leave the machine. Not every system looks them up so. */
function isOwnName(host: string): boolean {
  return host.toLowerCase().endsWith('.localhost');
}

/** Most names have none, and Minecraft ignores a look-up that fails. */
async function srvRecord(host: string): Promise<{ name: string; port: number } | undefined> {
  const resolver = new Resolver({ timeout: SRV_TIMEOUT_MS, tries: SRV_TRIES });
  const [first] = await resolver.resolveSrv(`_minecraft._tcp.${host}`).catch(() => []);
  return first;
}
