import t from 'tap';
import { build } from '../../support/gateway-app.ts';
import { isProblem } from '../../support/problem.ts';
import { instanceConfig } from '../../support/stand-in-daemon.ts';

t.test('metrics show instances, HTTP by route and status, and the process', async (t) => {
  const { app, daemon, bearer } = await build(t);
  const runtime = {
    phase: 'running' as const,
    cpuPercent: 150,
    memoryUsedMb: 512,
    playersOnline: 3,
    startedAt: 1_795_000_000_000,
  };
  daemon.put(instanceConfig({ id: 'other' }), runtime);
  const headers = await bearer();
  while ((await app.inject({ url: '/instances/other', headers })).json().status !== 'running')
    await new Promise(setImmediate);
  await app.inject({ url: '/instances/nowhere', headers });
  await app.inject('/not/a/route');

  const answer = await app.inject('/metrics');
  t.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const has = (line: string) => t.ok(answer.body.split('\n').includes(line), line);
  has('gamekeeper_instances{phase="running"} 1');
  has('gamekeeper_instances{phase="stopped"} 1');
  has('gamekeeper_instances{phase="crashed"} 0');
  has('gamekeeper_instance_up{instance="other",software="demo"} 1');
  has('gamekeeper_instance_up{instance="demo",software="demo"} 0');
  has('gamekeeper_instance_cpu_ratio{instance="other",software="demo"} 1.5');
  has('gamekeeper_instance_memory_bytes{instance="other",software="demo"} 536870912');
  has('gamekeeper_instance_players{instance="other",software="demo"} 3');
  has('gamekeeper_http_requests_total{method="GET",route="/instances/:id",status="404"} 1');
  has('gamekeeper_http_requests_total{method="GET",route="unmatched",status="404"} 1');
  has('gamekeeper_build_info{version="1.9.9"} 1');
  t.match(answer.body, /^gamekeeper_process_resident_memory_bytes \d+/m);
  t.notMatch(answer.body, /^(?!#|gamekeeper_).+/m, 'all names are ours');
  t.same(
    [...answer.body.matchAll(/^# HELP (\S+)/gm)].length,
    new Set([...answer.body.matchAll(/^# HELP (\S+)/gm)].map(([line]) => line)).size,
  );
});

t.test('OpenMetrics on request, also while another scrape runs', async (t) => {
  const { app } = await build(t);
  const accept = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5';
  const [open, plain] = await Promise.all([
    app.inject({ url: '/metrics', headers: { accept } }),
    app.inject('/metrics'),
  ]);
  t.match(open.headers['content-type'], /^application\/openmetrics-text/);
  t.match(open.body, /# EOF\n?$/);
  t.notMatch(plain.body, /# EOF/);
});

t.test('only callers on this machine read them without credentials', async (t) => {
  const { listener, bearer } = await build(t);
  const [loopback, open] = [await listener(), await listener({ loopback: false })];
  t.equal((await loopback.inject('/metrics')).statusCode, 200);
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host'])
    isProblem(t, await loopback.inject({ url: '/metrics', headers: { [name]: '1' } }), 'unauthenticated', name);
  isProblem(t, await open.inject('/metrics'), 'unauthenticated', 'a listener that others reach');
  t.equal((await open.inject({ url: '/metrics', headers: await bearer(['servers:read']) })).statusCode, 200);
  isProblem(t, await open.inject({ url: '/metrics', headers: await bearer(['logs:read']) }), 'insufficient_scope');
});
