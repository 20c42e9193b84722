import type { FirstBytes } from './first-bytes.ts';

/** The PROXY protocol, section 2.2 (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt). */
const SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
const HEAD_BYTES = 16;
const PROXIED = 0x21;
const TCP4 = 0x11;
const TCP6 = 0x21;
const IPV4_BYTES = 4;
const IPV6_BYTES = 16;
/** Addresses, ports and what a load balancer adds. */
const LONGEST_BYTES = 536;

/** Who a connection is from. */
export interface PlayerAddress {
  address: string;
  port: number;
}

/** Returns what a header of version 2 says; `undefined` while it is incomplete. Throws RangeError for anything else, and for a connection of the load balancer itself. */
export function readAnnouncedAddress(bytes: Buffer): FirstBytes<PlayerAddress> | undefined {
  const known = Math.min(bytes.length, SIGNATURE.length);
  if (!bytes.subarray(0, known).equals(SIGNATURE.subarray(0, known))) throw new RangeError('no header');
  if (bytes.length < HEAD_BYTES) return undefined;
  const [command, family] = bytes.subarray(SIGNATURE.length);
  const length = bytes.readUInt16BE(HEAD_BYTES - 2);
  const size = family === TCP4 ? IPV4_BYTES : IPV6_BYTES;
  if (command !== PROXIED || (family !== TCP4 && family !== TCP6)) throw new RangeError('not a connection of somebody');
  if (length > LONGEST_BYTES || length < 2 * size + 4) throw new RangeError(`a header of ${length} bytes`);
  if (bytes.length < HEAD_BYTES + length) return undefined;
  const source = bytes.subarray(HEAD_BYTES, HEAD_BYTES + size);
  const port = bytes.readUInt16BE(HEAD_BYTES + 2 * size);
  return { found: { address: textOf(source), port }, length: HEAD_BYTES + length };
}

function textOf(bytes: Buffer): string {
  if (bytes.length === IPV4_BYTES) return bytes.join('.');
  return bytes.toString('hex').replaceAll(/(.{4})(?!$)/g, '$1:');
}
