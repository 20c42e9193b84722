import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A caller who may not mean well, and what became of it. */
export interface ManySocket {
  readonly socket: Socket;
  /** What came back so far. */
  heard(): string;
  closed(): boolean;
}

/** Opens connections to a port of this machine, all at once, and says `text` on each. They are gone with the test. */
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
  socket.on('error', () => undefined); // what is looked at is that it closed
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
