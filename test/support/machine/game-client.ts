import { once } from 'node:events';
import { connect } from 'node:net';
import { encodeFrame, encodeText } from '../../../shared/node/list-ping/packets.ts';

/** 764, that of 1.20.2. */
const PROTOCOL = [0xfc, 0x05];
const ADDRESS = encodeText('localhost');
const PORT = Buffer.of(0x63, 0xdd);

/** The handshake of a client that wants to log in (2), or the status (1). */
export function handshake(next: number): Buffer {
  return encodeFrame(0, Buffer.concat([Buffer.from(PROTOCOL), ADDRESS, PORT, Buffer.of(next)]));
}

/** What a client of 1.20.2 and later says who it is: name and UUID. */
function loginStart(name: string): Buffer {
  return encodeFrame(0, Buffer.concat([encodeText(name), Buffer.alloc(16, 7)]));
}

/** Sends bytes to a port of the loopback interface, and answers what came until the server hung up. */
export async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  socket.on('error', () => {}); // A hard hang-up is a hang-up.
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(received).toString();
}

/** Wants to join, and answers the text of the packet that sends it away. */
export function tryToJoin(port: number, name: string): Promise<string> {
  return exchange(port, Buffer.concat([handshake(2), loginStart(name)]));
}
