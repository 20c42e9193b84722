import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A TCP relay that can stop to pass bytes on without closing anything, as a network does whose cable was pulled out. */
export interface StallingRelay {
  port: number;
  /** Passes on nothing more of what is open now; with `alsoNew`, of new connections neither. */
  stall(options?: { alsoNew: boolean }): void;
  /** Passes on what has arrived meanwhile. */
  resume(): void;
}

/** Relays to a port of this machine until the end of the test. */
export async function startStallingRelay(
  t: Pick<Test, 'teardown'>,
  { to, port = 0 }: { to: number; port?: number },
): Promise<StallingRelay> {
  const pairs = new Set<[Socket, Socket]>();
  let isStalled = false;
  const server = createServer({ noDelay: true }, (client) => {
    const pair: [Socket, Socket] = [client, connect({ port: to, host: '127.0.0.1', noDelay: true })];
    pairs.add(pair);
    for (const [one, other] of ends(pair)) {
      one.on('error', () => other.destroy());
      one.once('close', () => {
        pairs.delete(pair);
      });
      if (!isStalled) one.pipe(other);
    }
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    stall({ alsoNew } = { alsoNew: false }) {
      isStalled = alsoNew;
      for (const pair of pairs) for (const [one, other] of ends(pair)) one.unpipe(other).pause();
    },
    resume() {
      isStalled = false;
      for (const pair of pairs) for (const [one, other] of ends(pair)) one.pipe(other);
    },
  };
}

function ends([one, other]: [Socket, Socket]): [from: Socket, to: Socket][] {
  return [
    [one, other],
    [other, one],
  ];
}
