/** Listeners open and close while the gateway runs. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { createListeners } from '../../../gateway/listeners/listeners.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { settings as settingsSchema } from '../../../shared/schema/settings.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { holdCommands } from '../../support/stand-ins/hold-commands.ts';

async function listening(t: Test) {
  const world = await build(t);
  const listeners = createListeners(world.gateway, homeAt(world.home));
  t.teardown(() => listeners.close());
  const listen = async (remoteControl: object, ports = { panel: 0, remote: 0 }) => {
    const settings = settingsSchema.parse({ remoteControl });
    const addresses = await listeners.listen(settings.remoteControl, ports);
    world.gateway.settings = settings;
    return addresses;
  };
  return { ...world, listen };
}

const portsOf = ({ panel, remote }: { panel: string | null; remote: string | null }) => ({
  panel: Number(new URL(panel ?? '').port),
  remote: Number(new URL(remote ?? '').port),
});

async function statusAt(url: string, agent: Agent | false = false): Promise<number | string> {
  const asked = get(url, { agent });
  return new Promise((resolve) => {
    asked.once('response', (response: IncomingMessage) => resolve(response.resume().statusCode ?? 0));
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

t.test('an unchanged listener keeps its connections and sockets', async (t) => {
  const { listen, bearer } = await listening(t);
  const before = await listen({});
  const ports = portsOf(before);
  const socket = await console(before.panel!, await bearer());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  t.equal(await statusAt(`${before.panel}/health`, agent), 200);

  const remote = await freePort();
  const after = await listen({ allowedHosts: ['games.example'] }, { ...ports, remote });
  t.same(after, { panel: before.panel, remote: `http://127.0.0.1:${remote}` });
  t.equal(await statusAt(`${before.panel}/health`, agent), 200);
  t.equal(await statusAt(`${after.remote}/api/v1/health`), 200);
  t.equal(await statusAt(`${before.remote}/api/v1/health`), 'ECONNREFUSED');
  t.equal(socket.readyState, WebSocket.OPEN);
  const named = await fetchAs('games.example', before.panel!);
  t.equal(named, 200, 'allowed hosts change without a new listener');
});

t.test(
  'turning Remote Control off finishes answers, ends streams, closes sockets and leaves nothing open',
  async (t) => {
    const { listen, bearer, supervisor, gateway } = await listening(t);
    const { panel } = await listen({});
    const headers = await bearer();
    const socket = await console(panel!, headers);
    const events = await stream(`${panel}/events`, headers);
    const held = holdCommands(supervisor);
    const agent = new Agent({ keepAlive: true });
    t.teardown(() => agent.destroy());
    const asked = request(`${panel}/instances/demo/commands`, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-type': 'application/json' },
    }).end('{"command":"list"}');
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    await held.arrived;
    const idle = new Agent({ keepAlive: true });
    t.teardown(() => idle.destroy());
    t.equal(await statusAt(`${panel}/health`, idle), 200);

    const closed = once(socket, 'close');
    const ended = once(events, 'end');
    t.same(await listen({ enabled: false }), { panel: null, remote: null });
    t.equal(await statusAt(`${panel}/health`), 'ECONNREFUSED', 'closed at once');
    const [code, reason] = await closed;
    t.same([code, String(reason)], [1001, 'Remote Control was switched off']);
    await ended;
    held.release();
    const [answer] = await answered;
    t.equal(answer.statusCode, 200);
    answer.resume();
    await until('kept-alive connections are closed afterwards', () => [agent, idle].every((one) => isEmpty(one)), {
      deadlineMs: 10_000,
    });
    t.equal(gateway.sockets.total, 0);
  },
);

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');

t.test(
  'a listener moves to another address on the same port and back',
  { skip: !hasIpv6 && 'no IPv6 here' },
  async (t) => {
    const { listen } = await listening(t);
    const first = await listen({});
    const ports = portsOf(first);
    const second = await listen({ host: '0.0.0.0', insecure: true }, ports);
    t.same(second, first, 'a listener on all addresses is reached at loopback');
    t.equal(await statusAt(`${second.panel}/health`), 200);
    const third = await listen({ host: '::1' }, ports);
    t.equal(third.panel, `http://[::1]:${ports.panel}`);
    t.equal(await statusAt(`${third.panel}/health`), 200);
    t.equal(await statusAt(`${first.panel}/health`), 'ECONNREFUSED');
  },
);

t.test('two listeners become one and two again, sharing a port', async (t) => {
  const { listen } = await listening(t);
  const two = await listen({});
  const { panel, remote } = portsOf(two);
  const one = await listen({}, { panel: remote, remote });
  t.same(one, { panel: two.remote, remote: two.remote });
  for (const route of ['/health', '/api/v1/health']) t.equal(await statusAt(one.panel + route), 200, route);
  t.same(
    await listen({}, { panel: remote, remote: panel }),
    { panel: two.remote, remote: two.panel },
    'the two ports are swapped',
  );
  t.equal(await statusAt(`${two.remote}/health`), 200);
  t.equal(await statusAt(`${two.panel}/api/v1/health`), 200);
});

t.test('if one listener cannot be opened, all stay as they were', async (t) => {
  const { listen, gateway, bearer } = await listening(t);
  const before = await listen({});
  const ports = portsOf(before);
  const socket = await console(before.panel!, await bearer());
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const attempts: [object, { panel: number; remote: number }, string][] = [
    [{}, { panel: ports.panel, remote: port }, 'port_in_use'],
    [{ host: '0.0.0.0', insecure: true }, { panel: ports.panel, remote: port }, 'port_in_use'],
    [{ host: '203.0.113.9', insecure: true }, ports, 'invalid_request'],
    [{ host: 'no-such-host.invalid', insecure: true }, ports, 'invalid_request'],
    [{ host: 'fe80::1%none', insecure: true }, ports, 'invalid_request'],
    [{ host: 'a b', insecure: true }, ports, 'invalid_request'],
    [{ host: '\0', insecure: true }, ports, 'invalid_request'],
    [{ host: 'x'.repeat(10_000), insecure: true }, ports, 'invalid_request'],
    [{ tls: { cert: '/dev/zero', key: '/dev/zero' } }, ports, 'invalid_request'],
    [{ tls: { cert: '.', key: '\0' } }, ports, 'invalid_request'],
    [{ host: '0.0.0.0' }, ports, 'invalid_request'],
    [{ tls: { cert: 'none.pem', key: 'none.pem' } }, ports, 'invalid_request'],
  ];
  for (const [remoteControl, wanted, code] of attempts) {
    await t.rejects(listen(remoteControl, wanted), { code }, JSON.stringify(remoteControl));
    t.equal(await statusAt(`${before.panel}/health`), 200);
    t.equal(await statusAt(`${before.remote}/api/v1/health`), 200);
    t.same(gateway.addresses, before);
  }
  t.equal(socket.readyState, WebSocket.OPEN, 'its sockets stay open');
  t.same(await listen({ enabled: false }), { panel: null, remote: null });
  t.equal(await statusAt(`${before.panel}/health`), 'ECONNREFUSED', 'no listener is left open');
});

async function console(base: string, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/instances/demo/console`, { headers });
  await once(socket, 'open');
  return socket;
}

async function stream(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { headers, agent: new Agent() }), 'response')) as [IncomingMessage];
  return response.resume();
}

function fetchAs(host: string, base: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${base}/health`, { headers: { host }, agent: new Agent() }, (response) =>
      resolve(response.resume().statusCode),
    ).once('error', reject);
  });
}

function isEmpty({ sockets, freeSockets }: Agent): boolean {
  return Object.keys(sockets).length === 0 && Object.keys(freeSockets).length === 0;
}
