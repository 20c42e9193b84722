import t from 'tap';
import { build } from '../../support/gateway-app.ts';
import { isProblem } from '../../support/problem.ts';
import { instanceConfig } from '../../support/stand-in-daemon.ts';

t.test('an address that is out of date is asked of the daemon anew', async (t) => {
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
  t.equal(command.statusCode, 200, 'nothing was sent yet, so commands go on as well');
});

t.test('a question whose connection is lost is asked once more; a command never is', async (t) => {
  const { app, bearer, daemon, supervisor, dropSupervisor } = await build(t);
  const headers = await bearer();
  const { logs, command } = supervisor;
  const { supervisor: address } = daemon;
  /** As the real daemon does: a supervisor that is asked for is started. */
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

t.test('a supervisor that stays away is 503', async (t) => {
  const { app, bearer, dropSupervisor } = await build(t);
  await dropSupervisor();
  const headers = await bearer();
  isProblem(t, await app.inject({ url: '/instances/demo/logs', headers }), 'worker_unavailable');
  isProblem(t, await app.inject({ method: 'POST', url: '/instances/demo/start', headers }), 'worker_unavailable');
});

t.test('what was begun is seen in the list at once, ahead of the daemon', async (t) => {
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

t.test('an instance that is created, changed or deleted is so in the next answer', async (t) => {
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
