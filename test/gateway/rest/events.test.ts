import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { build, type World } from '../../support/gateway-app.ts';
import { isProblem } from '../../support/problem.ts';
import { instanceConfig } from '../../support/stand-in-daemon.ts';

interface Event {
  id?: string;
  event?: string;
  data?: unknown;
}

/** A reader of Server-Sent Events. */
async function listen(t: Test, { app }: World, headers: Record<string, string>) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const request = get({ port, path: '/events', headers });
  t.teardown(() => request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const events = (): Event[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .map((block) =>
        Object.fromEntries(
          block.split('\n').map((line) => {
            const [name = '', value = ''] = line.split(/: ?(.*)/s);
            return [name, name === 'data' ? JSON.parse(value) : value];
          }),
        ),
      );
  return {
    response,
    events,
    async until(type: string, data: object): Promise<Event> {
      for (;;) {
        const found = events().find(
          (event) => event.event === type && JSON.stringify(event.data).includes(JSON.stringify(data).slice(1, -1)),
        );
        if (found) return found;
        await once(response, 'data');
      }
    },
  };
}

t.test('the stream begins with the state of every instance and goes on with what happens', async (t) => {
  const world = await build(t);
  const { daemon, bearer } = world;
  const reader = await listen(t, world, await bearer(['servers:read']));
  t.match(reader.response.headers, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  await reader.until('instance.phase', { instanceId: 'demo', status: 'stopped', phase: 'stopped' });
  daemon.put(instanceConfig(), { phase: 'running', cpuPercent: 12, memoryUsedMb: 300, playersOnline: 1 });
  await reader.until('instance.phase', { instanceId: 'demo', status: 'running', phase: 'running' });
  await reader.until('usage', { instanceId: 'demo', cpuPercent: 12, memoryUsedMb: 300, playersOnline: 1 });
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

t.test('Last-Event-ID goes on behind that event; one from before a restart begins anew', async (t) => {
  const world = await build(t);
  const headers = await world.bearer();
  const first = await listen(t, world, headers);
  world.daemon.put(instanceConfig(), { phase: 'starting' });
  const { id = '' } = await first.until('instance.phase', { phase: 'starting' });
  t.match(id, /^[0-9a-f]+-\d+$/);
  world.daemon.put(instanceConfig(), { phase: 'running' });
  await first.until('instance.phase', { phase: 'running' });

  const resumed = await listen(t, world, { ...headers, 'last-event-id': id });
  await resumed.until('instance.phase', { phase: 'running' });
  t.notOk(
    resumed.events().some(({ data }) => JSON.stringify(data)?.includes('starting')),
    'nothing twice',
  );
  const anew = await listen(t, world, { ...headers, 'last-event-id': 'ffff-1' });
  await anew.until('instance.phase', { instanceId: 'demo' });
});

t.test('work that was begun here is followed to its end', async (t) => {
  const world = await build(t);
  const headers = await world.bearer();
  const reader = await listen(t, world, headers);
  const done = world.app.inject({ method: 'POST', url: '/instances/demo/backup', headers });
  await reader.until('job.progress', { state: 'running' });
  const finished = { ...(await done.then(() => world.jobs.jobs()[0])), endedAt: '2026-11-20T08:15:01.000Z' };
  world.jobs.job = () => finished as ReturnType<typeof world.jobs.job>;
  await reader.until('job.progress', { state: 'done' });
  await reader.until('backup.done', { instanceId: 'demo' });
});

t.test('the stream ends with its credential, and with the gateway', async (t) => {
  const world = await build(t);
  isProblem(t, await world.app.inject('/events'), 'unauthenticated');
  const reader = await listen(t, world, await world.bearer(['servers:read']));
  const ended = once(reader.response, 'end');
  world.daemon.revokeToken('t1');
  await ended;
  const last = await listen(t, world, await world.bearer());
  const closed = once(last.response, 'end');
  await world.app.close();
  await closed;
});
