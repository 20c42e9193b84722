import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import t from 'tap';
import { WebSocket } from 'ws';
import { linkedWorld } from '../../../support/link/linked-world.ts';
import { until } from '../../../support/machine/until.ts';

t.test('a request with a token of the proxy reaches the daemon in both families', async (t) => {
  const { base, bearer } = await linkedWorld(t);
  const headers = await bearer(['servers:read']);
  for (const path of ['/instances', '/api/v1/instances']) {
    const answer = await fetch(`${base}${path}`, { headers });
    t.equal(answer.status, 200, path);
    t.match(await answer.json(), [{ id: 'demo' }], path);
    t.ok(answer.headers.get('x-request-id'));
  }
  const refused = await fetch(`${base}/instances/demo/start`, { method: 'POST', headers });
  t.equal(refused.status, 403, 'the daemon checks the scope');
  t.match(await refused.json(), { code: 'insufficient_scope' });
});

t.test('a body is passed on, and a Location becomes an address at the proxy', async (t) => {
  const { base, bearer, daemonId, world } = await linkedWorld(t);
  const headers = { ...(await bearer(['servers:write', 'servers:read'])), 'content-type': 'application/json' };
  const made = await fetch(`${base}/instances`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Another', software: 'demo' }),
  });
  t.equal(made.status, 201, await made.text());
  t.equal(made.headers.get('location'), `/d/${daemonId}/instances/another`);
  t.ok(world.daemon);
});

t.test('responses without a body, and a body that the daemon refuses to read, arrive as they are', async (t) => {
  const { base, bearer } = await linkedWorld(t);
  const headers = { ...(await bearer(['servers:read', 'servers:write'])), 'content-type': 'application/json' };
  const head = await fetch(`${base}/instances`, { method: 'HEAD', headers });
  t.equal(head.status, 200);
  t.ok(Number(head.headers.get('content-length')) > 2);
  t.equal(
    (await fetch(`${base}/instances/demo/start`, { method: 'POST', headers })).status,
    200,
    'a POST without a body',
  );
  const large = await fetch(`${base}/instances`, { method: 'POST', headers, body: 'x'.repeat(8 * 1024 * 1024) });
  t.equal(large.status, 413);
  t.match(await large.json(), { code: 'body_too_large' });
  t.equal((await fetch(`${base}/instances`, { headers })).status, 200, 'the next request is served');
});

t.test('a token is needed for everything, and only one of the proxy for this daemon will do', async (t) => {
  const { base, bearer, world } = await linkedWorld(t);
  const local = await world.bearer();
  const cases: Record<string, Record<string, string>> = {
    none: {},
    "the daemon's own": local,
    'another audience': await bearer(['servers:read'], { aud: 'urn:uuid:00000000-0000-4000-8000-000000000000' }),
    expired: await bearer(['servers:read'], { exp: Math.floor(Date.now() / 1000) - 60 }),
    cookie: { cookie: (await world.cookie()).cookie },
  };
  for (const [name, headers] of Object.entries(cases))
    for (const path of ['/health', '/instances', '/metrics', '/api/login']) {
      const answer = await fetch(`${base}${path}`, { headers });
      t.equal(answer.status, 401, `${name} ${path}`);
      t.match(await answer.json(), { code: 'unauthenticated' });
    }
});

t.test('sign-in, settings and documentation cannot be reached', async (t) => {
  const { base, bearer } = await linkedWorld(t);
  const headers = await bearer(['servers:read', 'servers:write', 'logs:read', 'backups:create', 'tunnels:manage']);
  for (const path of [
    '/docs',
    '/docs/errors',
    '/api/login',
    '/api/users',
    '/api/tokens',
    '/api/settings',
    '/api/instances/demo/start',
  ]) {
    const answer = await fetch(`${base}${path}`, { headers });
    t.equal(answer.status, 404, path);
    t.match(await answer.json(), { code: 'route_not_found' });
  }
});

t.test('the panel learns what it may do, and no page of it runs on the origin of the proxy', async (t) => {
  const { base, bearer, relay } = await linkedWorld(t);
  const session = async (...scopes: Parameters<typeof bearer>[0]) => {
    const answer = await fetch(`${base}/api/session`, { headers: await bearer(scopes) });
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  const own = { status: 200, proxy: relay.issuer, mustChangePassword: false, instances: ['*'], totp: false };
  t.match(await session('servers:read', 'servers:write'), { ...own, role: 'admin' });
  t.match(await session('servers:read', 'logs:read'), { ...own, role: 'viewer' });
  t.match(await session('logs:read'), { status: 403, code: 'insufficient_scope' }, 'no panel without servers:read');
  const page = await fetch(`${base}/ui/`, { headers: await bearer(['servers:read']) });
  t.equal(page.status, 200);
  t.match(page.headers.get('content-security-policy'), /sandbox/);
});

t.test('the daemon does not see what the client claims about itself, nor the client cookies', async (t) => {
  const { base, bearer, world } = await linkedWorld(t);
  const headers = {
    ...(await bearer(['servers:read'])),
    cookie: `${(await world.cookie()).cookie}`,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': 'localhost',
    forwarded: 'for=127.0.0.1',
    origin: 'https://bot.example',
  };
  const answer = await fetch(`${base}/instances`, { headers });
  t.equal(answer.status, 200, 'bearer tokens work from pages of any origin');
  t.equal(answer.headers.get('set-cookie'), null);
  t.match(
    answer.headers.get('content-security-policy'),
    /sandbox/,
    'no page of a daemon runs on the origin of the proxy',
  );
  const metrics = await fetch(`${base}/metrics`, { headers: await bearer(['logs:read']) });
  t.equal(metrics.status, 403, 'metrics are not open as they are on the machine');
});

t.test('the console works over the relay, and a refusal is that of the daemon', async (t) => {
  const { base, bearer, world } = await linkedWorld(t);
  const url = `${base.replace('http', 'ws')}/ws/instances/demo/console`;
  const refuse = async () => {
    const refused = new WebSocket(url, { headers: await bearer(['servers:read']) });
    const lost = once(refused, 'error').then(([error]) => Promise.reject(error));
    const [, response] = await Promise.race([once(refused, 'unexpected-response'), lost]);
    t.equal(response.statusCode, 403);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    t.match(JSON.parse(Buffer.concat(chunks).toString()), { code: 'insufficient_scope' });
  };
  // Each time the daemon's stream may close before or after its answer was read.
  for (let attempt = 0; attempt < 30; attempt++) await refuse();

  const socket = new WebSocket(url, { headers: await bearer(['logs:read', 'servers:write']) });
  t.teardown(() => socket.terminate());
  const texts: string[] = [];
  socket.on('message', (data) => texts.push(String(data)));
  await once(socket, 'open');
  await until('the console is counted', () => world.gateway.sockets.total === 1);
  socket.send('bad\u0000line');
  await until('the gateway answers', () => texts.join('').includes('refused'), { describe: () => texts });
  socket.close();
  await until('the console is closed at the daemon', () => world.gateway.sockets.total === 0);
});

t.test('an event stream flows, and ends at the daemon when its client leaves', async (t) => {
  const { base, bearer, world } = await linkedWorld(t);
  const client = new AbortController();
  const answer = await fetch(`${base}/events`, { headers: await bearer(['servers:read']), signal: client.signal });
  t.equal(answer.status, 200);
  const { value } = await answer.body!.getReader().read();
  t.match(Buffer.from(value!).toString(), /^retry: 1000/);
  t.equal(world.gateway.services.events.streams, 1);
  client.abort();
  await until('the stream ends at the daemon', () => world.gateway.services.events.streams === 0);
});

t.test('a daemon that is not connected is 503 with the time when it last was', async (t) => {
  const { base, bearer, target, relay, daemonId } = await linkedWorld(t);
  target.set(null);
  await until(
    'the link is closed',
    () => relay.links.count === 0 && relay.daemons.get(daemonId)?.lastSeen !== undefined,
  );
  const answer = await fetch(`${base}/instances`, { headers: await bearer(['servers:read']) });
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '5');
  t.match(await answer.json(), {
    code: 'daemon_unavailable',
    detail: /"Home PC" has not been connected since 2/,
    lastSeen: /^2.*Z$/,
  });
});

t.test('a link that is closing finishes what it carries, and takes nothing new', async (t) => {
  const { base, bearer, target } = await linkedWorld(t);
  const headers = await bearer(['servers:read']);
  const client = new AbortController();
  t.teardown(() => client.abort());
  const events = await fetch(`${base}/events`, { headers, signal: client.signal });
  const reader = events.body!.getReader();
  await reader.read();
  target.set(null);
  const answer = await until('no request is taken', async () => {
    const one = await fetch(`${base}/instances`, { headers });
    return one.status !== 200 && one;
  });
  t.equal(answer.status, 503);
  t.match(await answer.json(), { code: 'daemon_unavailable', detail: /connection to the daemon was lost/ });
});

t.test('a response that is cut short by the loss of the link does not look complete', async (t) => {
  const { base, bearer, relay, daemonId } = await linkedWorld(t);
  const events = await fetch(`${base}/events`, { headers: await bearer(['servers:read']) });
  const reading = t.rejects(events.text(), 'the client notices');
  relay.links.find(daemonId)?.terminate();
  await reading;
});

t.test('a link that breaks ends what it carries, and the daemon returns', async (t) => {
  const { base, bearer, connected, restartRelay, world } = await linkedWorld(t);
  const headers = await bearer(['servers:read', 'logs:read']);
  const answer = await fetch(`${base}/events`, { headers });
  const reading = t.rejects(answer.text(), 'the client notices');
  await restartRelay();
  await reading;
  await until('the daemon ends the stream', () => world.gateway.services.events.streams === 0);
  await connected();
  t.equal((await fetch(`${base}/instances`, { headers })).status, 200);
});

t.test('an account has limits of its own', async (t) => {
  const { base, bearer } = await linkedWorld(t, {
    limits: { requestsPerSecond: 0.01, burst: 5, requests: 2, sockets: 1, bodyBytes: 1000 },
  });
  const headers = { ...(await bearer(['servers:read', 'servers:write'])), 'content-type': 'application/json' };
  const large = await fetch(`${base}/instances`, { method: 'POST', headers, body: 'x'.repeat(1001) });
  t.equal(large.status, 413, 'a body whose length is known');
  const chunked = await chunkedPost(`${base}/instances`, headers, 'x'.repeat(2000));
  t.equal(chunked, 413, 'a body whose length is not known');

  const streams = [new AbortController(), new AbortController()];
  for (const { signal } of streams) t.equal((await fetch(`${base}/events`, { headers, signal })).status, 200);
  const third = await fetch(`${base}/instances`, { headers });
  t.equal(third.status, 429);
  t.match(await third.json(), { code: 'rate_limited', detail: /2 requests are under way/ });
  for (const one of streams) one.abort();
  const sixth = await fetch(`${base}/instances`, { headers });
  t.equal(sixth.status, 429);
  t.match(await sixth.json(), { code: 'rate_limited', detail: /Too many requests/ });
  const other = await bearer(['servers:read'], { sub: 'account-2' });
  t.equal((await fetch(`${base}/instances`, { headers: other })).status, 200, 'another account has its own');
});

function chunkedPost(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.write(body);
    request.end();
  });
}
