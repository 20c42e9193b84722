import t from 'tap';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { rulesOf } from '../../../../workers/supervisor/game/game-rules.ts';
import { needsProvisioning, planLaunch } from '../../../../workers/supervisor/lifecycle/launch-plan.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

const plan = (config: InstanceConfig, change: Partial<Parameters<typeof planLaunch>[0]> = {}) =>
  planLaunch({
    config,
    rules: rulesOf(config),
    port: config.port,
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
