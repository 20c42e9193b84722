import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { until } from '../../../support/machine/until.ts';
import {
  type RunningSupervisor,
  type RunningSupervisorOptions,
  runSupervisor,
} from '../../../support/processes/running-supervisor.ts';

/** A running demo server whose settings the test changes. */
async function runningDemo(t: Test, options: RunningSupervisorOptions = {}) {
  const running = await runSupervisor(t, options);
  const { service, config } = running;
  await service.start();
  await running.waitForPhase('running');
  return {
    ...running,
    configure: async (change: Partial<InstanceConfig>) => service.configure(Object.assign(config, change)),
    pending: () => service.status().pendingRestart,
    async restart() {
      const { pid } = service.status();
      await service.restart();
      await until('another process runs', () => service.status().phase === 'running' && service.status().pid !== pid);
    },
  };
}

t.test('changed settings of a running server wait until its next start', async (t) => {
  const { configure, config, pending, restart } = await runningDemo(t);
  t.equal(pending(), undefined);
  const { port, memoryMb } = config;
  const other = await freePort();
  await configure({ port: other, memoryMb: 768, env: { TOKEN: 'a secret' }, maxPlayers: 30 });
  t.strictSame(pending(), [
    { setting: 'port', running: String(port), configured: String(other) },
    { setting: 'memoryMb', running: String(memoryMb), configured: '768' },
    { setting: 'maxPlayers', running: '', configured: '30' },
    { setting: 'env' },
  ]);
  await configure({ port, env: {}, hangSeconds: 60, name: 'Another' });
  t.same(
    pending()?.map(({ setting }) => setting),
    ['memoryMb', 'maxPlayers'],
    'neither what was changed back, nor what applies at once',
  );
  await restart();
  t.equal(pending(), undefined);
});

t.test('changed properties wait as well, without secrets and long values', async (t) => {
  const { service, pending, restart, home } = await runningDemo(t);
  const set = (properties: Record<string, string>) => service.setProperties({ properties });
  const secret = 'x'.repeat(40);
  await set({ 'view-distance': '12', 'level-seed': 'for new worlds', 'management-server-secret': secret });
  await set({ 'view-distance': '14', motd: 'm'.repeat(200) });
  t.strictSame(pending(), [
    { setting: 'properties.view-distance', running: '10', configured: '14' },
    { setting: 'properties.management-server-secret' },
    { setting: 'properties.motd', running: 'A Minecraft Server' },
  ]);
  t.notMatch(readFileSync(home.gameRecord('test'), 'utf8'), secret);
  await set({ 'view-distance': '10', 'management-server-secret': '' });
  t.same(
    pending()?.map(({ setting }) => setting),
    ['properties.motd'],
  );
  await restart();
  t.equal(pending(), undefined);
});

t.test('a change while the server is being launched waits as well', async (t) => {
  const running: RunningSupervisor = await runSupervisor(t, {
    config: { rcon: { port: await freePort(), password: 'correct horse battery' } },
    upstream: {
      async leasePorts() {
        void running.service.configure({ ...running.config, memoryMb: 768, maxPlayers: 30 });
        return null;
      },
    },
  });
  await running.service.start();
  await running.waitForPhase('running');
  t.strictSame(running.service.status().pendingRestart, [
    { setting: 'memoryMb', running: '512', configured: '768' },
    { setting: 'maxPlayers', running: '', configured: '30' },
  ]);
});

t.test('of very many changed properties a hundred are kept', async (t) => {
  const { service, pending } = await runningDemo(t);
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`of-a-plugin-${number}`, 'x']));
  await service.setProperties({ properties: many });
  t.equal(pending()?.length, 100);
});

t.test('a restart after a crash runs on what was installed before', async (t) => {
  const settings = { version: '1.0', javaVersion: '17' as const };
  const { service, configure, pending, phases } = await runningDemo(t, {
    config: { ...settings, crashPolicy: { restart: 'always', maxRestarts: 3, windowSeconds: 600 } },
    upstream: {
      async *provision() {
        yield { done: { settings } };
      },
    },
  });
  t.equal(pending(), undefined);
  await configure({ version: '2.0', javaVersion: '21', memoryMb: 768 });
  const waiting = [
    { setting: 'memoryMb', running: '512', configured: '768' },
    { setting: 'version', running: '1.0', configured: '2.0' },
    { setting: 'javaVersion', running: '17', configured: '21' },
  ];
  t.same(pending(), waiting);
  process.kill(service.status().pid!, 'SIGKILL');
  await until('it runs again', () => phases.filter((phase) => phase === 'running').length === 2);
  t.same(pending(), waiting.slice(1), 'the new process has the new memory');
});
