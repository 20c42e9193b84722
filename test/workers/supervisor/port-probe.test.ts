import { once } from 'node:events';
import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import { findFreePort, requireFreePort } from '../../../workers/supervisor/port-probe.ts';

async function listen(t: Test, host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

t.test('a free port is fine, and free again afterwards', async (t) => {
  const port = await findFreePort();
  await t.resolves(requireFreePort({ port, use: 'port' }));
  await t.resolves(requireFreePort({ port, use: 'port', host: '127.0.0.1' }));
  t.ok(port < 32_768, 'and no outgoing connection is ever given it');
});

t.test(
  'a port that somebody listens on is named, with the process',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const port = await listen(t, '127.0.0.1');
    for (const host of [undefined, '127.0.0.1', '0.0.0.0']) {
      await t.rejects(requireFreePort({ port, use: 'port', ...(host && { host }) }), {
        code: 'port_in_use',
        message: new RegExp(`^The port ${port} is in use by \\S+ \\(process ${process.pid}\\)\\.$`),
      });
    }
  },
);

t.test('an address that this machine does not have is told apart', async (t) => {
  await t.rejects(requireFreePort({ port: 40_000, use: 'port', host: '192.0.2.1' }), {
    code: 'launch_failed',
    message: /192\.0\.2\.1/,
  });
});
