import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A WebSocket client that can send invalid frames. */
export interface RawWebSocket {
  readonly socket: Socket;
  /** Writes one frame, masked as clients must (RFC 6455, section 5.2). */
  send(opcode: number, payload?: string | Buffer, options?: FrameOptions): void;
  /** All bytes received after the handshake. */
  received(): Buffer;
  /** The code of the received close frame, if any. */
  closeCode(): number | undefined;
  closed(): boolean;
}

export interface FrameOptions {
  /** False: more fragments follow. */
  fin?: boolean;
  /** The bit for "compressed", if compression was negotiated. */
  rsv1?: boolean;
  /** Replaces the length in the header. */
  declaredLength?: number;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Connects. Throws if the response is not 101. */
export async function rawWebSocket(
  t: Test,
  port: number,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<RawWebSocket> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let received = Buffer.alloc(0);
  let closed = false;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.on('error', () => undefined); // Followed by 'close'.
  socket.once('close', () => {
    closed = true;
  });
  const all = {
    host: '127.0.0.1',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let end = -1;
  while (end < 0 && !closed) {
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    end = received.indexOf('\r\n\r\n');
  }
  const head = received.subarray(0, end).toString('latin1');
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(`The handshake was refused: ${head}`);
  received = received.subarray(end + 4);

  return {
    socket,
    send: (opcode, payload = '', options = {}) => void socket.write(frame(opcode, Buffer.from(payload), options)),
    received: () => received,
    closeCode: () => closeCodeIn(received),
    closed: () => closed,
  };
}

/** Returns a masked frame. The mask is zero, which does not change the payload. */
export function frame(
  opcode: number,
  payload: Buffer,
  { fin = true, rsv1 = false, declaredLength = payload.length }: FrameOptions = {},
): Buffer {
  const first = (fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode;
  const length = Buffer.alloc(declaredLength < 126 ? 0 : declaredLength < 65_536 ? 2 : 8);
  if (length.length === 2) length.writeUInt16BE(declaredLength);
  if (length.length === 8) length.writeBigUInt64BE(BigInt(declaredLength));
  const second = 0x80 | (length.length === 0 ? declaredLength : length.length === 2 ? 126 : 127);
  return Buffer.concat([Buffer.from([first, second]), length, Buffer.alloc(4), payload]);
}

/** Finds the close frame among the server's frames, which are not masked. */
function closeCodeIn(bytes: Buffer): number | undefined {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const opcode = bytes[at]! & 0x0f;
    let length = bytes[at + 1]! & 0x7f;
    let start = at + 2;
    if (length === 126) {
      if (start + 2 > bytes.length) return undefined;
      length = bytes.readUInt16BE(start);
      start += 2;
    } else if (length === 127) {
      if (start + 8 > bytes.length) return undefined;
      length = Number(bytes.readBigUInt64BE(start));
      start += 8;
    }
    if (opcode === OPCODE.close && start + 2 <= bytes.length) return bytes.readUInt16BE(start);
    at = start + length;
  }
  return undefined;
}
