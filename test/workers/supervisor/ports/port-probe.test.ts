import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import t, { type Test } from 'tap';
import { findFreePort, requireFreePort } from '../../../../workers/supervisor/ports/port-probe.ts';

const GAME = { purpose: 'game', transport: 'tcp' } as const;
const QUERY = { purpose: 'query', transport: 'udp' } as const;

async function listen(t: Test, host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

t.test('a free port stays free after the probe', async (t) => {
  const port = await findFreePort({ transport: 'tcp' });
  await t.resolves(requireFreePort({ ...GAME, port }));
  await t.resolves(requireFreePort({ ...GAME, port, host: '127.0.0.1' }));
  t.ok(port < 32_768, 'below the range of outgoing connections');
});

t.test('the error about a port in use names the process', { skip: process.platform !== 'linux' }, async (t) => {
  const port = await listen(t, '127.0.0.1');
  for (const host of [undefined, '127.0.0.1', '0.0.0.0']) {
    await t.rejects(requireFreePort({ ...GAME, port, ...(host && { host }) }), {
      code: 'port_in_use',
      message: new RegExp(`^The port ${port} is in use by \\S+ \\(process ${process.pid}\\)\\.$`),
    });
  }
});

t.test('an address of another machine is a different error', async (t) => {
  await t.rejects(requireFreePort({ ...GAME, port: 40_000, host: '192.0.2.1' }), {
    code: 'launch_failed',
    message: /192\.0\.2\.1/,
  });
});

t.test('UDP ports are probed separately from TCP ports', { skip: process.platform !== 'linux' }, async (t) => {
  const port = await findFreePort(QUERY);
  t.ok(port < 32_768);
  const holder = createSocket('udp4').bind(port, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  await t.resolves(requireFreePort({ ...GAME, port }), 'TCP is free');
  for (const host of [undefined, '127.0.0.1']) {
    await t.rejects(requireFreePort({ ...QUERY, port, ...(host && { host }) }), {
      code: 'port_in_use',
      message: new RegExp(`^The query port ${port} \\(UDP\\) is in use by \\S+ \\(process ${process.pid}\\)\\.$`),
    });
  }
});

t.test('a probe of one address looks at that address only, also with IPv6', { skip: !hasIpv6() }, async (t) => {
  const port = await listen(t, '::1');
  await t.rejects(requireFreePort({ ...GAME, port, host: '::1' }), { code: 'port_in_use' });
  await t.rejects(
    requireFreePort({ ...GAME, port }),
    { code: 'port_in_use' },
    'listening on all addresses includes it',
  );
  await t.resolves(requireFreePort({ ...GAME, port, host: '127.0.0.1' }), 'another address is free');
});

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
}
