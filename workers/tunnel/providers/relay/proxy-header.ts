import { isIPv4 } from 'node:net';

/** The PROXY protocol, section 2.2 (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt). */
const SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
/** Version 2, a connection of somebody else. */
const PROXIED = 0x21;
const TCP4 = 0x11;
const TCP6 = 0x21;
const IPV4_BYTES = 4;
const GROUPS = 8;
const GROUP_BYTES = 2;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Returns the header that tells a server the address of a player (version 2). `port`: where the server listens. */
export function proxyHeader(player: { address: string; port: number }, port: number): Buffer {
  const address = MAPPED.exec(player.address)?.[1] ?? player.address;
  const isV4 = isIPv4(address);
  const [source, own] = isV4 ? [v4(address), v4('127.0.0.1')] : [v6(address), v6('::1')];
  const ports = Buffer.alloc(2 * GROUP_BYTES);
  ports.writeUInt16BE(player.port);
  ports.writeUInt16BE(port, GROUP_BYTES);
  const body = Buffer.concat([source, own, ports]);
  const head = Buffer.from([PROXIED, isV4 ? TCP4 : TCP6, 0, body.length]);
  return Buffer.concat([SIGNATURE, head, body]);
}

function v4(address: string): Buffer {
  return Buffer.from(address.split('.').slice(0, IPV4_BYTES).map(Number));
}

function v6(address: string): Buffer {
  // A URL writes it without the dotted form; a zone means nothing elsewhere.
  const plain = new URL(`http://[${address.split('%', 1).join()}]`).hostname.slice(1, -1);
  const [before = '', after] = plain.split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const missing = GROUPS - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...groups(after)];
  const bytes = Buffer.alloc(GROUPS * GROUP_BYTES);
  for (const [index, group] of all.slice(0, GROUPS).entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * GROUP_BYTES);
  return bytes;
}
