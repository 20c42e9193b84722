import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { Job } from '../../../../shared/schema/job.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { until } from '../../../support/machine/until.ts';
import { fill } from '../../pool/round-trip.ts';

const PROPERTIES = `#Minecraft server properties
motd=Caf\\u00e9 \\u2603
server-port=25565
query.port=25565
enable-rcon=true
rcon.port=25575
rcon.password=hunter22hunter22
management-server-secret=${'a'.repeat(40)}
management-server-port=25585
`;

async function jobsWith(t: Test, more: object = {}, files: Record<string, string> = {}) {
  const jobs = await startTestJobs(t);
  const source = instanceConfig(jobs.home, 'survival', more);
  jobs.daemon.instances.set('survival', { config: source, runtime: { phase: 'stopped' }, socket: null });
  fill(source.directory, {
    'server.properties': PROPERTIES,
    'world/level.dat': 'x',
    'world/session.lock': '☃',
    ...files,
  });
  return { ...jobs, source, names: () => readdirSync(jobs.home.instances).sort() };
}

t.test('a clone is an independent instance, made under the folder lock', async (t) => {
  const { call, done, daemon, home, source } = await jobsWith(t);
  const { newInstanceId, percent } = await done(call.startClone({ instanceId: 'survival', name: 'Survival 2' }));
  t.same({ newInstanceId, percent }, { newInstanceId: 'survival-2', percent: 100 });
  t.same((await daemon.supervisor('survival')).heard, ['hold backing-up', 'release']);

  const copy = home.instanceDirectory('survival-2');
  t.same(readdirSync(path.join(copy, 'world')), ['level.dat']);
  const text = readFileSync(path.join(copy, 'server.properties'), 'utf8');
  t.match(text, /^#Minecraft server properties\nmotd=Caf\\u00e9 \\u2603\nserver-port=25600\nquery\.port=25600\n/);
  t.match(text, /\nrcon\.port=25601\nrcon\.password=chosen\n/);
  t.match(text, /\nmanagement-server-secret=[0-9a-f]{40}\nmanagement-server-port=0\n/);
  t.notMatch(text, /hunter22|aaaa/);
  t.equal(
    readFileSync(path.join(source.directory, 'server.properties'), 'utf8'),
    PROPERTIES,
    'the source is unchanged',
  );
});

t.test('a launch command that names the source’s folder and port names the clone’s instead', async (t) => {
  const { call, done, daemon, home, source } = await jobsWith(t, { software: 'custom', version: 'custom' });
  const launch = {
    command: [
      ...[`${source.directory}/start.sh`, '--world', `${source.directory}-other`, source.directory],
      ...['-p', `${source.port}`, `--port=${source.port}`, `127.0.0.1:${source.port}`, `--seed=1${source.port}`],
    ],
  };
  daemon.instances.set('survival', { config: { ...source, launch }, runtime: { phase: 'stopped' }, socket: null });
  await done(call.startClone({ instanceId: 'survival', name: 'x', id: 'copy', port: 4000 }));
  const own = home.instanceDirectory('copy');
  t.match(daemon.instances.get('copy')?.config, {
    port: 4000,
    launch: {
      command: [
        ...[`${own}/start.sh`, '--world', `${source.directory}-other`, own],
        ...['-p', '4000', '--port=4000', '127.0.0.1:4000', `--seed=1${source.port}`],
      ],
    },
  });
});

t.test('the clone of another game gets further ports of its own', async (t) => {
  const { call, done, daemon } = await jobsWith(t, { software: 'ark', ports: { query: 27_016 } });
  await done(call.startClone({ instanceId: 'survival', name: 'x', id: 'copy' }));
  const { config } = daemon.instances.get('copy')!;
  t.equal(config.software, 'ark');
  t.not(config.ports?.query, 27_016);
});

t.test('a taken id and an unknown source are refused before anything is copied', async (t) => {
  const { call, home, names } = await jobsWith(t);
  fill(home.instanceDirectory('left'), { x: 'x' });
  const copying = (body: { name: string; id?: string; instanceId?: string }) =>
    call.startClone({ instanceId: 'survival', ...body });
  await t.rejects(copying({ name: 'x', id: 'survival' }), { code: 'instance_exists' });
  await t.rejects(copying({ name: 'x', id: 'left' }), { code: 'instance_exists', message: /left its folder/ });
  await t.rejects(copying({ name: 'x', instanceId: 'none' }), { code: 'instance_not_found' });
  t.same(names(), ['left', 'survival']);
});

t.test('a properties file that cannot be parsed is refused: the clone would have the source’s ports', async (t) => {
  const { call, done, names } = await jobsWith(t, {}, { 'server.properties': 'server-port=25565\na=C:\\users\n' });
  await t.rejects(done(call.startClone({ instanceId: 'survival', name: 'x' })), {
    code: 'invalid_state',
    message: /server\.properties cannot be understood/,
  });
  t.same(names(), ['survival']);
});

t.test('a failed or cancelled clone leaves nothing behind', async (t) => {
  const { call, done, daemon, names } = await jobsWith(t);
  await t.rejects(done(call.startClone({ instanceId: 'survival', name: 'refused' })), { code: 'instance_exists' });
  t.same(names(), ['survival']);

  const supervisor = await daemon.supervisor('survival');
  const holding = Promise.withResolvers<{ quiesced: boolean }>();
  supervisor.onHold = () => holding.promise;
  const job: Job = await call.startClone({ instanceId: 'survival', name: 'Cancelled' });
  await until('the world is locked', () => supervisor.heard.at(-1) === 'hold backing-up');
  await call.cancel(job.jobId);
  holding.resolve({ quiesced: true });
  await t.rejects(call.waitForJob(job.jobId, { timeoutMs: 0 }), { message: /cancelled/ });
  await until('the world is unlocked', () => !supervisor.held);
  t.same(names(), ['survival']);
  t.notOk(daemon.instances.has('cancelled'));
});
