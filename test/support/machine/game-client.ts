import { once } from 'node:events';
import { connect } from 'node:net';
import { encodeFrame, encodeText, encodeVarInt } from '../../../shared/node/list-ping/packets.ts';

/** Of Minecraft 1.20.2. */
const PROTOCOL = 764;
const PORT = Buffer.of(0x63, 0xdd);

/** Returns the handshake of a client that requests a login (2) or the status (1). */
export function handshake(next: number, host = 'localhost', protocol = PROTOCOL): Buffer {
  return encodeFrame(0, Buffer.concat([encodeVarInt(protocol), encodeText(host), PORT, Buffer.of(next)]));
}

/** Returns the login start packet of Minecraft 1.20.2 and later: name and UUID. */
function loginStart(name: string): Buffer {
  return encodeFrame(0, Buffer.concat([encodeText(name), Buffer.alloc(16, 7)]));
}

/** Sends bytes to a local port. Resolves to everything received until the server closes the connection. */
export async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  socket.on('error', () => {}); // A reset counts as closed.
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(received).toString();
}

/** Tries to join. Resolves to the text of the packet that refuses it. `host`: the name that the player has typed. */
export function tryToJoin(port: number, name: string, host?: string): Promise<string> {
  return exchange(port, Buffer.concat([handshake(2, host), loginStart(name)]));
}
