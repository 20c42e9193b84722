import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import t, { type Test } from 'tap';
import type { Job } from '../../../../shared/schema/job.ts';
import { portOf } from '../../../support/console/console-client.ts';
import { readEvents } from '../../../support/http/event-reader.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { until } from '../../../support/machine/until.ts';
import { build, type World } from '../../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../../support/stand-ins/stand-in-daemon.ts';

async function listen(t: Test, { app }: World, headers: Record<string, string>) {
  return readEvents(t, `http://127.0.0.1:${await portOf(app)}/events`, headers);
}

t.test('the stream begins with the state of every instance and continues with events', async (t) => {
  const world = await build(t);
  const { daemon, bearer } = world;
  const reader = await listen(t, world, await bearer(['servers:read']));
  t.match(reader.response.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  await reader.until('instance.phase', { instanceId: 'demo', status: 'stopped', phase: 'stopped' });
  const stats = { cpuPercent: 12, memoryUsedMb: 300, tickTimeMs: 4.5, tps: 20, playersOnline: 1 };
  daemon.put(instanceConfig(), { phase: 'running', ...stats });
  await reader.until('instance.phase', { instanceId: 'demo', status: 'running', phase: 'running' });
  await reader.until('usage', { instanceId: 'demo', ...stats });
  daemon.put(instanceConfig(), { phase: 'running', activity: 'backing-up' });
  await reader.until('instance.phase', {
    instanceId: 'demo',
    status: 'running',
    phase: 'running',
    activity: 'backing-up',
  });
  await daemon.deleteInstance({ id: 'demo', files: 'keep', backups: 'keep' }).catch(() => undefined);
  daemon.put(instanceConfig({ id: 'new' }));
  await reader.until('instance.phase', { instanceId: 'new' });
});

t.test('Last-Event-ID resumes after that event, without transient ones', async (t) => {
  const world = await build(t);
  const headers = await world.bearer();
  const first = await listen(t, world, headers);
  world.daemon.put(instanceConfig(), { phase: 'starting' });
  const { id = '' } = await first.until('instance.phase', { phase: 'starting' });
  t.match(id, /^[0-9a-f]+-\d+$/);
  world.daemon.put(instanceConfig(), { phase: 'running', cpuPercent: 1 });
  await first.until('instance.phase', { phase: 'running' });
  t.equal((await first.until('usage', { cpuPercent: 1 })).id, undefined);
  world.daemon.put(instanceConfig(), { phase: 'running', cpuPercent: 2 });
  await first.until('usage', { cpuPercent: 2 });

  const resumed = await listen(t, world, { ...headers, 'last-event-id': id });
  await resumed.until('instance.phase', { phase: 'running' });
  t.same(
    resumed.events().flatMap(({ event, data }) => (event && event !== 'heartbeat' ? [{ event, data }] : [])),
    [{ event: 'instance.phase', data: { instanceId: 'demo', status: 'running', phase: 'running' } }],
    'the missed event, once',
  );
});

t.test('a stream without news has heartbeats, which scripts in a browser can see', async (t) => {
  const world = await build(t);
  const reader = await listen(t, world, await world.bearer());
  await reader.until('instance.phase', { instanceId: 'demo' });
  for (let beats = 0; beats < 2; beats++) {
    reader.forget();
    t.same(await reader.until('heartbeat', {}), { event: 'heartbeat', data: {} });
  }
});

t.test('a reader with an unknown id gets events.gap and the present state', async (t) => {
  const world = await build(t);
  const headers = await world.bearer();
  await world.daemon.jobs();
  world.jobs.put(jobOf('j-1', { percent: 20 }));
  world.daemon.put(instanceConfig(), { phase: 'running', cpuPercent: 5 });
  const before = await listen(t, world, headers);
  await before.until('job.progress', { jobId: 'j-1' });
  await before.until('usage', { cpuPercent: 5 });

  for (const lastId of ['ffffffff-1', 'nonsense', '"}\\n']) {
    const anew = await listen(t, world, { ...headers, 'last-event-id': lastId });
    const gap = await anew.until('events.gap', { lastEventId: lastId });
    t.equal(gap.id, undefined);
    await anew.until('instance.phase', { instanceId: 'demo', status: 'running' });
    await anew.until('usage', { instanceId: 'demo', cpuPercent: 5 });
    await anew.until('job.progress', { jobId: 'j-1' });
    const [, position] = anew.events();
    t.match(position?.id, /^[0-9a-f]{8}-\d+$/, 'with the position to resume from');
  }
  const fresh = await listen(t, world, headers);
  await fresh.until('job.progress', { jobId: 'j-1' });
  t.notOk(fresh.events().some(({ event }) => event === 'events.gap'));
});

t.test('joining and leaving players are reported by name', async (t) => {
  const world = await build(t);
  const reader = await listen(t, world, await world.bearer());
  const put = (players?: string[]) =>
    world.daemon.put(instanceConfig(), players ? { phase: 'running', players } : { phase: 'stopped' });
  put([]);
  put(['Alice']);
  put(['Alice', 'Bob']);
  put(['Bob', 'Carol']);
  put();
  await reader.until('player.leave', { name: 'Carol' });
  const movements = reader.events().filter(({ event }) => event?.startsWith('player.'));
  t.same(
    movements.map(({ event, data }) => `${event} ${(data as { name: string }).name}`),
    [
      'player.join Alice',
      'player.join Bob',
      'player.join Carol',
      'player.leave Alice',
      'player.leave Bob',
      'player.leave Carol',
    ],
  );
  t.ok(movements.every(({ id, data }) => id !== undefined && (data as { instanceId: string }).instanceId === 'demo'));
});

t.test('all jobs are followed to their end, including scheduled ones', async (t) => {
  const world = await build(t);
  const headers = await world.bearer();
  const reader = await listen(t, world, headers);
  await world.app.inject({ method: 'POST', url: '/instances/demo/backup', headers });
  await reader.until('job.progress', { jobId: 'j1', kind: 'backup' });
  t.ok((await reader.until('job.progress', { state: 'done' })).id);
  t.match((await reader.until('backup.done', { instanceId: 'demo' })).data, { backupId: /^2026/ });

  world.jobs.put(jobOf('scheduled', { percent: 0 }));
  t.ok((await reader.until('job.progress', { jobId: 'scheduled' })).id, 'the start of a job can be replayed');
  world.jobs.put(jobOf('scheduled', { percent: 50, bytesDone: 5 }));
  t.equal((await reader.until('job.progress', { percent: 50 })).id, undefined, 'its progress is not replayed');
  world.jobs.put(jobOf('scheduled', { state: 'failed', error: { code: 'insufficient_storage', detail: 'Full.' } }));
  await reader.until('job.progress', { code: 'insufficient_storage' });
  t.equal(reader.events().filter(({ event }) => event === 'backup.done').length, 1);
  world.jobs.put(jobOf('removal', { kind: 'delete', state: 'done', backupId: 'b1' }));
  t.match((await reader.until('backup.removed', { backupId: 'b1' })).data, { instanceId: 'demo' });
});

t.test('a user has a limited number of streams, however often they sign in', async (t) => {
  const world = await build(t, { settings: { limits: { socketsPerUser: 3 } } });
  await world.addUser('olga', 'viewer');
  for (let n = 0; n < 3; n++) {
    const { cookie } = await world.cookie('olga');
    t.equal((await listen(t, world, { cookie })).response.statusCode, 200);
  }
  const refused = await world.app.inject({ url: '/events', headers: await world.cookie('olga') });
  isProblem(t, refused, 'rate_limited');
  t.equal((await listen(t, world, await world.bearer())).response.statusCode, 200, 'others are not concerned');
});

t.test('a credential has a limited number of streams', async (t) => {
  const world = await build(t, { settings: { limits: { socketsPerCredential: 2 } } });
  const headers = await world.bearer();
  const [first] = [await listen(t, world, headers), await listen(t, world, headers)];
  isProblem(t, await world.app.inject({ url: '/events', headers }), 'rate_limited');
  isProblem(t, await world.app.inject({ url: '/api/v1/events', headers }), 'rate_limited', 'in both families together');
  const other = await listen(t, world, await world.bearer());
  await other.until('instance.phase', { instanceId: 'demo' });
  const scraped = (await world.app.inject('/metrics')).body;
  t.match(scraped, /^gamekeeper_event_streams 3$/m);
  first.response.destroy();
  await until('its slot is free', () => world.gateway.services.events.streams === 2);
  const again = await listen(t, world, headers);
  t.equal(again.response.statusCode, 200);
});

t.test('a reader that does not read is disconnected without affecting others', async (t) => {
  const world = await build(t);
  const headers = await world.bearer();
  await world.daemon.jobs();
  const reader = await listen(t, world, headers);
  const { port } = world.app.server.address() as AddressInfo;
  const stalled = connect(port, '127.0.0.1');
  t.teardown(() => stalled.destroy());
  stalled.pause();
  stalled.write(`GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
  await until('both listen', () => world.gateway.services.events.streams === 2);
  const detail = 'x'.repeat(200_000);
  for (let round = 0; round < 400 && world.gateway.services.events.streams === 2; round++) {
    world.jobs.put(jobOf(`j-${round}`, { state: 'failed', error: { code: 'internal_error', detail } }));
    await reader.until('job.progress', { jobId: `j-${round}` });
    reader.forget();
  }
  t.equal(world.gateway.services.events.streams, 1, 'some megabytes fit into system buffers first');
});

t.test('the stream ends with its credential, and with the gateway', async (t) => {
  const world = await build(t);
  isProblem(t, await world.app.inject('/events'), 'unauthenticated');
  const reader = await listen(t, world, await world.bearer(['servers:read']));
  const ended = once(reader.response, 'end');
  world.daemon.revokeToken({ id: 't1', by: null });
  await ended;
  const last = await listen(t, world, await world.bearer());
  const closed = once(last.response, 'end');
  await world.app.close();
  await closed;
});

function jobOf(jobId: string, parts: Partial<Job>): Job {
  const ended = parts.state === 'failed' && { endedAt: new Date().toISOString() };
  return {
    jobId,
    kind: 'backup',
    instanceId: 'demo',
    state: 'running',
    percent: 0,
    bytesDone: 0,
    bytesTotal: 10,
    createdAt: '2026-11-20T08:15:00.000Z',
    ...ended,
    ...parts,
  };
}
