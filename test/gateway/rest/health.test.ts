import t from 'tap';
import { build } from '../../support/gateway-app.ts';
import { isProblem } from '../../support/problem.ts';
import { instanceConfig } from '../../support/stand-in-daemon.ts';

t.test('health needs no credentials and counts what runs', async (t) => {
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

t.test('a daemon that is silent for a second is an internal error, until it speaks again', async (t) => {
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
