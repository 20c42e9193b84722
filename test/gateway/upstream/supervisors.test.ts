import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { isProblem } from '../../support/http/problem.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../support/stand-ins/stand-in-daemon.ts';

const OLD_SUPERVISOR = path.join(import.meta.dirname, '../../fixtures/supervisor-of-protocol.ts');

t.test('an outdated address is requested from the daemon again', async (t) => {
  const { app, bearer, daemon, supervisor } = await build(t);
  daemon.put(instanceConfig(), { phase: 'running' }, '/nowhere/at/all.sock');
  supervisor.print('hello');
  const headers = await bearer();
  while ((await app.inject({ url: '/instances/demo', headers })).json().status !== 'running')
    await new Promise(setImmediate);
  const logs = await app.inject({ url: '/instances/demo/logs', headers });
  t.same(logs.json(), { lines: ['hello'] });
  const command = await app.inject({
    method: 'POST',
    url: '/instances/demo/commands',
    headers,
    payload: { command: 'x' },
  });
  t.equal(command.statusCode, 200, 'nothing was sent yet, so commands are retried too');
});

t.test('a read is repeated once when the connection is lost, a command never', async (t) => {
  const { app, bearer, daemon, supervisor, dropSupervisor } = await build(t);
  const headers = await bearer();
  const { logs, command } = supervisor;
  const { supervisor: address } = daemon;
  /** Like the real daemon, which starts a supervisor on request. */
  const startWhenAsked = (comeBack: () => Promise<void>) => {
    daemon.supervisor = async (id) => {
      await comeBack();
      daemon.supervisor = address;
      return address(id);
    };
  };
  let asked = 0;
  const hang = <T>(): Promise<T> => {
    asked++;
    return new Promise(() => undefined);
  };
  supervisor.logs = hang;
  const answer = app.inject({ url: '/instances/demo/logs', headers });
  while (asked === 0) await new Promise(setImmediate);
  supervisor.logs = logs;
  startWhenAsked(await dropSupervisor());
  t.equal((await answer).statusCode, 200);

  supervisor.command = hang;
  const order = app.inject({ method: 'POST', url: '/instances/demo/commands', headers, payload: { command: 'give' } });
  while (asked === 1) await new Promise(setImmediate);
  supervisor.command = command;
  startWhenAsked(await dropSupervisor());
  const lost = await order;
  isProblem(t, lost, 'worker_unavailable');
  t.match(lost.headers['retry-after'], /^\d+$/);
  t.same(supervisor.heard, [], 'it was not run a second time');
});

t.test(
  'a supervisor that hangs is 503 after three seconds, at once if that is known, and gets no command',
  async (t) => {
    const { app, bearer, daemon, supervisor } = await build(t);
    const headers = await bearer();
    const { status } = supervisor;
    const { socket } = await daemon.supervisor('demo');
    const awake = Promise.withResolvers<void>();
    Object.assign(supervisor, { status: () => awake.promise.then(() => status()) });
    const inTime = async (withinMs: number, method: 'GET' | 'POST', url: string, payload?: object) => {
      const begun = performance.now();
      const answer = await app.inject({ method, url: `/instances/demo/${url}`, headers, ...(payload && { payload }) });
      isProblem(t, answer, 'worker_unavailable');
      t.match(answer.json(), {
        detail: 'The process that manages "Demo" does not answer.',
        resolution: /try again/,
      });
      t.match(answer.headers, { 'retry-after': '10' });
      t.ok(performance.now() - begun < withinMs, `${url} after ${performance.now() - begun} ms`);
    };
    const everything = (withinMs: number) =>
      Promise.all([
        inTime(withinMs, 'GET', 'logs'),
        inTime(withinMs, 'GET', 'players'),
        inTime(withinMs, 'POST', 'stop'),
        inTime(withinMs, 'POST', 'commands', { command: 'give' }),
      ]);
    await everything(5_000);
    daemon.put(instanceConfig(), { phase: 'running', degraded: 'unresponsive' }, socket);
    while ((await app.inject({ url: '/instances/demo', headers })).json().degraded === undefined)
      await new Promise(setImmediate);
    await everything(2_000);

    awake.resolve();
    t.equal((await app.inject({ url: '/instances/demo/logs', headers })).statusCode, 200, 'works as soon as it wakes');
    t.same(supervisor.heard, []);
    t.equal(supervisor.runtime.phase, 'stopped');
  },
);

t.test('a slow command is waited for', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const done = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  supervisor.command = () => {
    begun.resolve();
    return done.promise;
  };
  const request = { method: 'POST', url: '/instances/demo/commands', headers: await bearer() } as const;
  const answer = app.inject({ ...request, payload: { command: 'save-all flush' } });
  await begun.promise;
  t.equal((await app.inject({ url: '/instances/demo/logs', headers: request.headers })).statusCode, 200);
  done.resolve('saved');
  t.match((await answer).json(), { output: 'saved' });
});

t.test('a supervisor that stays away is 503', async (t) => {
  const { app, bearer, dropSupervisor } = await build(t);
  await dropSupervisor();
  const headers = await bearer();
  isProblem(t, await app.inject({ url: '/instances/demo/logs', headers }), 'worker_unavailable');
  isProblem(t, await app.inject({ method: 'POST', url: '/instances/demo/start', headers }), 'worker_unavailable');
});

t.test('an action shows in the list at once, ahead of the daemon', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const headers = await bearer();
  const { start } = supervisor;
  supervisor.start = async () => {
    supervisor.runtime = { phase: 'starting' };
  };
  await app.inject({ method: 'POST', url: '/instances/demo/start', headers });
  t.match((await app.inject({ url: '/instances', headers })).json(), [{ phase: 'starting', status: 'starting' }]);
  supervisor.start = start;
});

t.test('the next answer shows an instance that was created, changed or deleted', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  const created = await app.inject({
    method: 'POST',
    url: '/instances',
    headers,
    payload: { name: 'Two', software: 'demo' },
  });
  t.equal(created.headers.location, '/instances/two');
  const ids = async () => (await app.inject({ url: '/instances', headers })).json().map(({ id }: { id: string }) => id);
  t.same(await ids(), ['demo', 'two']);
  await app.inject({ method: 'PATCH', url: '/instances/two', headers, payload: { name: 'Renamed' } });
  t.equal((await app.inject({ url: '/instances/two', headers })).json().name, 'Renamed');
  await app.inject({ method: 'DELETE', url: '/instances/two', headers });
  t.same(await ids(), ['demo']);
});

t.test('requests while the gateway shuts down are refused', async (t) => {
  const { app, gateway } = await build(t);
  gateway.closing = true;
  const answer = await app.inject('/health');
  isProblem(t, answer, 'shutting_down');
  t.ok(answer.headers['retry-after']);
});

t.test('a supervisor of an earlier version is not sent what it would not do', async (t) => {
  const { app, bearer, daemon } = await build(t, { settings: { players: { skins: true } } });
  const home = temporaryFolder(t);
  mkdirSync(path.join(home, 'run/instances'), { recursive: true });
  const old = spawn(process.execPath, [OLD_SUPERVISOR, home, 'demo', '2', 'running'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => old.kill('SIGKILL'));
  await once(old.stdout, 'data');
  daemon.put(instanceConfig(), { phase: 'running' }, path.join(home, 'run/instances/demo.sock'));
  const headers = await bearer();
  const ban = (payload: object) =>
    app.inject({ method: 'POST', url: '/instances/demo/players/Steve/ban', headers, payload });
  await until('the address is known', async () => /^no/.test((await ban({})).json().detail));
  const refused = await ban({ durationSeconds: 3_600 });
  isProblem(t, refused, 'invalid_state');
  t.match(refused.json(), { detail: /earlier version/, resolution: /Restart the server/ });
  for (const action of ['restart-when-empty', 'cancel-restart'])
    t.match((await app.inject({ method: 'POST', url: `/instances/demo/${action}`, headers })).json(), {
      detail: /earlier version/,
    });
  for (const list of ['players/seen', 'skins', 'gamerules'])
    t.match((await app.inject({ url: `/instances/demo/${list}`, headers })).json(), {
      detail: /earlier version/,
    });
});
