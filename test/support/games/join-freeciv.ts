import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const JOIN_REQUEST = 4;
const VERSION = { major: 3, minor: 0, patch: 6 };

/** Joins a server of Freeciv 3.0 as a client does (freeciv, common/networking/packets.def: PACKET_SERVER_JOIN_REQ). */
export async function joinFreeciv(port: number, name: string): Promise<Socket> {
  const texts = Buffer.from(`${name}\0+Freeciv-3.0-network\0\0`);
  const packet = Buffer.alloc(3 + texts.length + 12);
  packet.writeUInt16BE(packet.length);
  packet.writeUInt8(JOIN_REQUEST, 2);
  texts.copy(packet, 3);
  for (const [index, number] of Object.values(VERSION).entries())
    packet.writeUInt32BE(number, 3 + texts.length + 4 * index);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.resume().write(packet);
  return socket;
}
