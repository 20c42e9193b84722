/** How many token checks a flood of forged tokens costs, and whom it keeps out. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { createClientAddresses } from '../../../../gateway/proxy/http/client-addresses.ts';
import { createAccountLimits, RELAY_LIMITS } from '../../../../gateway/proxy/relay/account-limits.ts';
import { createLocalStreams } from '../../../../gateway/proxy/relay/daemon-streams.ts';
import { Relay } from '../../../../gateway/proxy/relay/relay.ts';
import { createLogger } from '../../../../shared/node/logger.ts';

const FLOOD = 300;
/** Those of STRANGERS, and what comes back while the test runs. */
const MOST_CHECKS = 150;

t.test('a flood of forged tokens', async (t) => {
  const daemonId = randomUUID();
  const known = new Set<string>();
  let checks = 0;
  let isBroken = false;
  const relay = new Relay({
    streams: createLocalStreams({
      links: { find: () => undefined },
      directory: { find: async () => undefined },
    }),
    tokens: {
      isKnown: (token) => known.has(token),
      async forDaemon(token) {
        if (!known.has(token)) checks++;
        if (isBroken) throw new Error('the database is away');
        if (!token.startsWith('good')) return undefined;
        known.add(token);
        return { accountId: 'anna' };
      },
    },
    addresses: createClientAddresses(() => false),
    issuer: 'https://proxy.example',
    log: createLogger({ name: 'test', level: 'silent' }),
    accounts: createAccountLimits({ ...RELAY_LIMITS, requestsPerSecond: 10_000, burst: 10_000 }),
  });
  const server = createServer((request, response) => relay.handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ask = async (token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}/d/${daemonId}/health`, { headers });
    await response.text();
    return response.status;
  };

  // With a good token it is 503: the daemon is not connected.
  t.equal(await ask('good-1'), 503);
  for (let n = 0; n < FLOOD; n++) t.equal(await ask(`good-${n}`), 503, 'good tokens are not counted');
  t.equal(known.size, FLOOD);

  isBroken = true;
  for (let n = 0; n < FLOOD; n++) t.equal(await ask('unknown'), 500, 'a failure of ours is not counted either');
  isBroken = false;

  checks = 0;
  const statuses = await Promise.all(Array.from({ length: FLOOD }, (_, n) => ask(`forged-${n}`)));
  t.ok(checks <= MOST_CHECKS, `${checks} checks, even if all arrive at once`);
  t.ok(statuses.includes(401) && statuses.includes(429));
  t.equal(await ask('good-1'), 503, 'a program with a known token behind the same address goes on');
  const without = await Promise.all(Array.from({ length: 50 }, () => ask()));
  t.ok(without.includes(429), 'so few places come back that most requests are refused');
});
