import t from 'tap';
import { build } from '../../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../../support/stand-ins/stand-in-daemon.ts';

t.test('the configuration is returned in the form of PATCH, without secrets', async (t) => {
  const { app, bearer, daemon } = await build(t);
  daemon.put(
    instanceConfig({
      javaVersion: '21',
      autoStart: true,
      env: { KEY: 'hunter2' },
      rcon: { port: 25_575, password: 'hunter2' },
    }),
  );
  const headers = await bearer(['servers:read']);
  const answer = await app.inject({ url: '/instances/demo/configuration', headers });
  t.equal(answer.statusCode, 200);
  t.same(answer.json(), {
    name: 'Demo',
    version: '1.0',
    port: 25_565,
    javaVersion: '21',
    memoryMb: 2048,
    acceptEula: false,
    autoStart: true,
    crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 },
    stopTimeoutSeconds: 60,
  });
  const commands = { stopCommand: 'login hunter2', saveCommands: { on: 'login hunter2' } };
  daemon.put(instanceConfig(commands));
  const url = '/instances/demo/configuration';
  t.match((await app.inject({ url, headers: await bearer() })).json(), commands);
  t.notMatch((await app.inject({ url, headers })).body, /hunter2/, 'only for callers who may send commands');
  const launch = { command: ['./server', '--token=hunter2'] };
  const own = { launch, env: { KEY: 'hunter2' }, runAs: 'games' };
  daemon.put(instanceConfig(own));
  t.match((await app.inject({ url, headers: await bearer() })).json(), own);
  const scoped = await bearer(['servers:read', 'servers:write']);
  t.notMatch(
    (await app.inject({ url, headers: scoped })).body,
    /hunter2|games/,
    'only for callers who may choose the program',
  );
  daemon.put(instanceConfig({}));
  const isRoot = process.getuid?.() === 0;
  const { runAs } = (await app.inject({ url, headers: await bearer() })).json();
  t.equal(runAs, isRoot ? null : undefined, 'shown as soon as it can be set');
  t.notOk('runAs' in (await app.inject({ url, headers: scoped })).json());
  const missing = await app.inject({ url: '/instances/none/configuration', headers });
  t.match(missing.json(), { status: 404, code: 'instance_not_found' });
});
