import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import t from 'tap';
import { createClientAddresses } from '../../../../gateway/proxy/http/client-addresses.ts';
import { createAccountLimits, RELAY_LIMITS } from '../../../../gateway/proxy/relay/account-limits.ts';
import { Relay } from '../../../../gateway/proxy/relay/relay.ts';
import { createLogger } from '../../../../shared/node/logger.ts';

t.test('a client that left while it was admitted gives its place back, and nothing is sent for it', async (t) => {
  const admission = Promise.withResolvers<{ accountId: string }>();
  let checks = 0;
  const relay = new Relay({
    streams: {
      async open() {
        throw new Error('nothing is sent');
      },
    },
    tokens: {
      isKnown: () => true,
      forDaemon: () => (checks++ === 0 ? admission.promise : Promise.resolve({ accountId: 'anna' })),
    },
    addresses: createClientAddresses(() => false),
    issuer: 'https://proxy.example',
    log: createLogger({ name: 'test', level: 'silent' }),
    accounts: createAccountLimits({ ...RELAY_LIMITS, requests: 1 }),
  });
  const server = createServer((request, response) => relay.handle(request, response)).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = `/d/${randomUUID()}/health`;
  const client = connect(port, '127.0.0.1');
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n`);
  const [, response] = await once(server, 'request');
  client.destroy();
  await once(response, 'close');
  admission.resolve({ accountId: 'anna' });
  const next = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer x' } });
  t.equal(next.status, 500, 'it has the only place: 429 otherwise');
  await next.text();
});
