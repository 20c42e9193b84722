import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Transform } from 'node:stream';
import type { Test } from 'tap';

/** A TCP relay to a port of this machine that holds everything back for `delayMs`, half of it in each direction. Resolves to its port. */
export async function startDelayedRelay(t: Test, { to, delayMs }: { to: number; delayMs: number }): Promise<number> {
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: to, host: '127.0.0.1', noDelay: true });
    client.pipe(delayed(delayMs / 2)).pipe(target);
    target.pipe(delayed(delayMs / 2)).pipe(client);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on('error', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

function delayed(ms: number): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => done(null, chunk), ms);
    },
  });
}
