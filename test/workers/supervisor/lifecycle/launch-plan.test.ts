import t, { type Test } from 'tap';
import { setCustomSoftware } from '../../../../shared/domain/software/catalogue.ts';
import { extendDefinition, type SoftwareFile } from '../../../../shared/domain/software/extend-definition.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { parseSoftware } from '../../../../shared/schema/software.ts';
import { rulesOf } from '../../../../workers/supervisor/game/game-rules.ts';
import { needsProvisioning, planLaunch } from '../../../../workers/supervisor/lifecycle/launch-plan.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

const plan = (config: InstanceConfig, change: Partial<Parameters<typeof planLaunch>[0]> = {}) =>
  planLaunch({
    config,
    rules: rulesOf(config),
    port: config.port,
    ports: {},
    provisioned: {},
    environment: { PATH: '/usr/bin', LC_ALL: 'C.UTF-8' },
    bundled: { node: '/app/node', embedded: (entry) => `/app/dist/${entry}` },
    ...change,
  });

t.test("custom software runs the owner's command in the instance's folder", async (t) => {
  const config = instanceConfig({
    software: 'custom',
    launch: { command: ['./server', '--flag'] },
    directory: '/srv/game',
  });
  t.match(plan(config), { program: './server', args: ['--flag'], cwd: '/srv/game', keepsRunning: false });
  t.match(plan({ ...config, launch: { command: ['/opt/jre/bin/java', '-jar', 'x.jar'] } }), { keepsRunning: true });
  t.notOk(needsProvisioning(config, rulesOf(config)));
});

t.test('custom software without a command cannot be started', async (t) => {
  t.throws(() => plan(instanceConfig({ software: 'custom' })), { code: 'launch_failed', resolution: /launch/ });
});

t.test('the demo server runs on our own Node', async (t) => {
  t.match(plan(instanceConfig({ software: 'demo' })), {
    program: '/app/node',
    args: ['/app/dist/workers/demo/main.js'],
    keepsRunning: false,
  });
});

t.test('a jar runs on the installed Java with the memory of the instance', async (t) => {
  const config = instanceConfig({ software: 'vanilla', memoryMb: 3072 });
  t.ok(needsProvisioning(config, rulesOf(config)));
  t.match(plan(config, { provisioned: { java: '/runtimes/21/bin/java', start: ['-jar', 'server.jar'] } }), {
    program: '/runtimes/21/bin/java',
    args: ['-Xmx2304M', '-jar', 'server.jar', 'nogui'],
    keepsRunning: true,
    env: { JAVA_HOME: '/runtimes/21', PATH: '/runtimes/21/bin:/usr/bin' },
  });
  t.throws(() => plan(config), { code: 'launch_failed' });
});

t.test('a port on the command line is the one that was settled', async (t) => {
  const config = instanceConfig({ software: 'velocity', port: 25_577 });
  const provisioned = { java: '/runtimes/21/bin/java', start: ['-jar', 'velocity.jar'] };
  const { args } = plan({ ...config, port: 25_600 }, { provisioned, port: 25_577 });
  t.ok(args.includes('25577'), args.join(' '));
});

t.test('custom software with a Java version finds that Java first', async (t) => {
  const config = instanceConfig({ software: 'custom', javaVersion: '17', launch: { command: ['./start.sh'] } });
  t.ok(needsProvisioning(config, rulesOf(config)));
  t.match(plan(config, { provisioned: { java: '/runtimes/17/bin/java' } }).env, {
    JAVA_HOME: '/runtimes/17',
    PATH: /^\/runtimes\/17\/bin:/,
  });
});

t.test('the game gets the allowed environment and the variables of its instance', async (t) => {
  const environment = {
    PATH: '/usr/bin',
    HOME: '/home/x',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    GAMEKEEPER_ADMIN_PASSWORD: 'secret',
    NODE_OPTIONS: '--inspect',
    NODE_COMPILE_CACHE: '/cache',
    AWS_SECRET_ACCESS_KEY: 'secret',
    https_proxy: 'http://user:secret@proxy',
  };
  const config = instanceConfig({
    software: 'custom',
    launch: { command: ['x'] },
    env: { MODE: 'creative', TZ: 'Europe/Berlin' },
  });
  t.strictSame(plan(config, { environment }).env, {
    PATH: '/usr/bin',
    HOME: '/home/x',
    LC_ALL: 'C.UTF-8',
    TZ: 'Europe/Berlin',
    MODE: 'creative',
  });
});

/** A kind of its own, known until the end of the test. */
function kindWith(t: Test, change: object): void {
  const base = {
    kind: 'mine',
    title: 'Mine',
    defaultVersion: '1',
    gamePort: { first: 27_015, transport: 'udp' },
    launch: { type: 'installed', program: { [process.platform]: 'bin/server' }, args: [], env: {} },
  };
  setCustomSoftware([parseSoftware(extendDefinition({ ...base, ...change } as SoftwareFile, []))]);
  t.teardown(() => setCustomSoftware([]));
}

t.test('variables and ports are filled into arguments and environment, each argument staying one', async (t) => {
  kindWith(t, {
    variables: [
      { name: 'map', type: 'text', default: 'dust', editableBy: 'operator' },
      {
        ...{ name: 'lan', type: 'boolean', default: 'false', editableBy: 'admin' },
        rule: { written: { true: '1', false: '0' } },
      },
    ],
    ports: [
      { name: 'query', transport: 'udp', offset: 1 },
      { name: 'rcon', transport: 'tcp', first: 27_020 },
    ],
    survivesHangup: true,
    launch: {
      type: 'installed',
      program: { [process.platform]: 'bin/server' },
      args: ['+map', '{map}', '-lan={lan}', '-port', '{port}', '{port.query}/{port.rcon}', '{maxPlayers}'],
      env: { HOME: '{directory}/home', NAME: '{name}' },
    },
  });
  const config = instanceConfig({
    ...{ software: 'mine', port: 27_015, maxPlayers: 9, directory: '/srv/game', name: '{map} $(id)' },
    variables: { map: 'a b; {lan}', lan: 'true' },
    env: { EXTRA: '{map}' },
  });
  t.match(plan(config, { port: 27_100, ports: { query: 27_101, rcon: 27_020 }, environment: { HOME: '/home/x' } }), {
    program: '/srv/game/bin/server',
    args: ['+map', 'a b; {lan}', '-lan=1', '-port', '27100', '27101/27020', '9'],
    env: { HOME: '/srv/game/home', NAME: '{map} $(id)', EXTRA: '{map}' },
    keepsRunning: process.platform !== 'win32',
  });
});

t.test('the port is filled into the command of custom software, and nothing else', async (t) => {
  const config = instanceConfig({ software: 'custom', launch: { command: ['./server', '--port={port}', '{name}'] } });
  t.same(plan(config, { port: 4_000 }).args, ['--port=4000', '{name}']);
});
