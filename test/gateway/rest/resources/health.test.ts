import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../../support/stand-ins/stand-in-daemon.ts';

t.test('health needs no credentials and counts running instances', async (t) => {
  const { app, daemon } = await build(t);
  const expected = { status: 'ok', version: '1.9.9', platform: process.platform };
  for (const url of ['/health', '/api/v1/health']) {
    const answer = await app.inject({ url, headers: { authorization: 'Bearer nonsense' } });
    t.match(answer, { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    t.same(answer.json(), { ...expected, activeInstances: 0 });
  }
  daemon.put(instanceConfig(), { phase: 'running' });
  daemon.put(instanceConfig({ id: 'b' }), { phase: 'starting' });
  daemon.put(instanceConfig({ id: 'c' }), { phase: 'stopping' });
  while ((await app.inject('/health')).json().activeInstances !== 2) await new Promise(setImmediate);
  daemon.put(instanceConfig(), { phase: 'crashed' });
  while ((await app.inject('/health')).json().activeInstances !== 1) await new Promise(setImmediate);
  t.equal((await app.inject({ method: 'HEAD', url: '/health' })).statusCode, 200);
});

t.test('a daemon that does not answer within a second is 500 until it answers again', async (t) => {
  const { app, daemon, clock } = await build(t);
  t.equal((await app.inject('/health')).statusCode, 200);
  daemon.silent = true;
  clock.ahead += 1_000;
  const asked = performance.now();
  const answers = await Promise.all([app.inject('/health'), app.inject('/health')]);
  const waited = performance.now() - asked;
  for (const answer of answers) isProblem(t, answer, 'internal_error');
  t.ok(waited >= 990 && waited < 2_000, `after a second (${Math.round(waited)} ms)`);
  daemon.silent = false;
  t.equal((await app.inject('/health')).statusCode, 200);
});

t.test('the health shortcut gives the same answer as the route', async (t) => {
  const { app, gateway } = await build(t);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  for (const path of ['/health', '/api/v1/health']) {
    const probes = [];
    for (let n = 0; n < 3; n++) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      t.equal(answer.status, 200);
      const { date, 'x-request-id': id, ...headers } = Object.fromEntries(answer.headers);
      t.match(id, /./);
      probes.push({ headers, body: await answer.json() });
    }
    t.same(probes[1], probes[0]);
    t.same(probes[2], probes[0]);
  }
  const foreign = await new Promise<number | undefined>((resolve) =>
    get({ port, path: '/health', headers: { host: 'evil.example' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }),
  );
  t.equal(foreign, 403, 'a foreign Host is refused as usual');
  t.match(
    String((await gateway.metrics.scrape(undefined)).text),
    /http_requests_total\{family="daemon",method="GET",route="\/health",status="200"\} 3/,
  );
});
