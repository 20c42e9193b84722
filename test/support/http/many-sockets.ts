import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A connection that a test may misuse. */
export interface ManySocket {
  readonly socket: Socket;
  /** Everything received so far. */
  heard(): string;
  closed(): boolean;
}

/** Opens this many connections to a local port and sends `text` on each. They are closed at the end of the test. */
export async function manySockets(t: Test, port: number, { count, text = '' }: { count: number; text?: string }) {
  return Promise.all(Array.from({ length: count }, () => oneSocket(t, port, text)));
}

async function oneSocket(t: Test, port: number, text: string): Promise<ManySocket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  t.teardown(() => socket.destroy());
  let heard = '';
  let closed = false;
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => undefined); // Followed by 'close'.
  socket.once('close', () => {
    closed = true;
  });
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
  if (text !== '') socket.write(text);
  return { socket, heard: () => heard, closed: () => closed };
}
