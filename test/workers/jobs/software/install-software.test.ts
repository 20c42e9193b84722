import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { toInstalled } from '../../../../workers/jobs/software/install-release.ts';
import { createInstalledRecords } from '../../../../workers/jobs/software/installed.ts';
import { createFabricMeta } from '../../../../workers/jobs/software/sources/fabric-meta.ts';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { isOnPath, requireProgram, requireRoot } from '../../../support/machine/system-packages.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';
import { startKindVendors } from './kind-vendors.ts';

if (!isOnPath('javac') || !isOnPath('jlink')) {
  requireProgram(t, 'javac', 'openjdk-17-jdk-headless');
  process.exit();
}
const vendors = await startKindVendors(t);
const jobs = await startTestJobs(t, { instances: [] });
jobs.daemon.settings.vendors = vendors.addresses;

/** Installs and starts a kind, waits until it is ready, and stops it. */
async function live(t: Test, { software, version = 'latest', ...more }: Partial<InstanceConfig>) {
  const id = `${software}-${version.replaceAll('.', '-')}`;
  const directory = jobs.home.instanceDirectory(id);
  const config = instanceConfig({
    ...{ id, software: software!, version, directory, managed: true, eulaAccepted: true, memoryMb: 512 },
    port: await freePort(),
    ...more,
  });
  jobs.daemon.instances.set(id, { config, runtime: { phase: 'provisioning' }, socket: null });
  const running = await runSupervisor(t, {
    home: jobs.home,
    config,
    upstream: {
      provision: (signal) => jobs.call.provision(id, { signal }),
    },
  });
  const round = async () => {
    await running.service.start();
    await running.waitForPhase('running');
    await running.service.stop();
    await running.waitForPhase('stopped');
  };
  await round();
  const text = (await running.lines()).join('\n');
  const configured = jobs.daemon.instances.get(id)!.config;
  return { directory, text, round, configured };
}

const JARS = {
  vanilla: ['1.19.4', 'server.jar', 'nogui'],
  paper: ['1.19.4', 'server.jar', 'nogui'],
  folia: ['1.19.4', 'server.jar', 'nogui'],
  purpur: ['1.19.4', 'server.jar', 'nogui'],
  fabric: ['1.19.4', 'fabric-server-launch.jar', 'nogui'],
  quilt: ['1.19.4', 'quilt-server-launch.jar', 'nogui'],
  velocity: ['3.4.0-SNAPSHOT', 'velocity.jar', '--port'],
} as const;

for (const [software, [version, jar, argument]] of Object.entries(JARS))
  t.test(`${software}: the newest version is installed, starts on its Java, becomes ready and stops`, async (t) => {
    const { text, directory, configured, round } = await live(t, { software });
    t.equal(configured.version, version, 'the version is recorded');
    t.ok(existsSync(path.join(directory, jar)));
    t.match(text, new RegExp(`Java 17, 384 MB, ${argument}`));
    t.match(text, /Stopping server/);
    const asked = vendors.requests.length;
    await round();
    t.equal(vendors.requests.length, asked, 'the second start asks no vendor');
  });

t.test('fabric: a loader that a modpack has chosen is installed, and the second start asks no vendor', async (t) => {
  const source = createFabricMeta({
    vendors: vendors.addresses,
    cache: jobs.home.cache,
    signal: new AbortController().signal,
  });
  const release = await source.find('1.19.4', '0.18.0-beta');
  const jar = '/v2/versions/loader/1.19.4/0.18.0-beta/1.1.0/server/jar';
  vendors.files.set(jar, vendors.files.get('/v2/versions/loader/1.19.4/0.17.3/1.1.0/server/jar')!);
  const records = createInstalledRecords(jobs.home.installed);
  await records.write('fabric-1-19-4', toInstalled('fabric', release, undefined));
  const before = vendors.requests.length;
  const { text, round } = await live(t, { software: 'fabric', version: '1.19.4' });
  t.match(text, /Java 17, 384 MB, nogui/);
  const asked = vendors.requests.slice(before).map(({ path: one }) => one);
  t.same(
    asked.filter((one) => one.startsWith('/v2/versions')),
    [jar],
  );
  t.match(await records.read('fabric-1-19-4'), { build: '0.18.0-beta', java: 17, file: { digest: {} } });
  rmSync(path.join(jobs.home.cache, 'downloads'), { recursive: true });
  const count = vendors.requests.length;
  await round();
  t.equal(vendors.requests.length, count);
});

t.test('forge: its installer runs on its own Java, and the start uses the arguments file', async (t) => {
  const { text, directory, configured } = await live(t, { software: 'forge' });
  t.equal(configured.version, '1.19.4', 'the newest recommended build');
  t.match(text, /Forge: Arguments: --installServer/);
  t.match(text, /Forge: The server installed successfully/);
  t.match(text, /Java 17, 384 MB, nogui/, "the instance's memory overrides the file's");
  t.match(readFileSync(path.join(directory, 'user_jvm_args.txt'), 'utf8'), /owner=me/);
});

t.test('forge: its installer and its server run as the user of the server', async (t) => {
  if (!requireRoot(t)) return;
  const { text, directory } = await live(t, { software: 'forge', version: '1.19.4', runAs: 'games' });
  t.match(text, /Forge: The server installed successfully/);
  t.match(text, /Java 17, 384 MB, nogui/);
  const { uid } = statSync(directory);
  t.not(uid, 0);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  t.ok(files.includes('user_jvm_args.txt'));
  for (const file of files) t.equal(statSync(path.join(directory, file)).uid, uid, file);
  t.notOk(
    files.some((file) => file.includes('installer')),
    'the copy of the installer is removed',
  );
});

t.test('forge below 1.17 installs a jar and requires exactly Java 8', async (t) => {
  const { text } = await live(t, { software: 'forge', version: '1.16.5', javaVersion: '17' });
  t.match(text, /Java 17, 384 MB, nogui/, 'the owner can set another version of Java');

  const config = instanceConfig({
    id: 'old',
    software: 'forge',
    version: '1.16.5',
    directory: jobs.home.instanceDirectory('old'),
  });
  jobs.daemon.instances.set('old', { config, runtime: { phase: 'provisioning' }, socket: null });
  const following = async () => {
    for await (const _ of jobs.call.provision('old'));
  };
  await t.rejects(following(), { code: 'vendor_unavailable' });
  t.ok(vendors.requests.some(({ path: asked }) => asked === '/v3/assets/latest/8/hotspot'));
});

t.test('neoforge: builds are found by the version of Minecraft', async (t) => {
  const { text } = await live(t, { software: 'neoforge', version: '1.20.4' });
  t.match(text, /NeoForge: The server installed successfully/);
  t.match(text, /Java 17, 384 MB, nogui/);
});

t.test('bedrock: it is unpacked and starts without Java, and the owner’s files stay', async (t) => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const { text, configured, directory, round } = await live(t, { software: 'bedrock' });
  t.equal(configured.version, '1.21.120.4');
  t.match(text, /Server started\..*Server stop requested\./s);
  const properties = path.join(directory, 'server.properties');
  writeFileSync(properties, `${readFileSync(properties, 'utf8')}level-name=Mine\n`);
  const permissions = path.join(directory, 'config/default/permissions.json');
  t.equal(readFileSync(permissions, 'utf8'), '{"allowed_modules":[]}');
  writeFileSync(permissions, '{"allowed_modules":["@minecraft/server-net"]}');
  rmSync(path.join(directory, 'bedrock_server'));
  await round();
  t.match(readFileSync(properties, 'utf8'), /level-name=Mine/);
  t.match(readFileSync(permissions, 'utf8'), /server-net/, 'kept after unpacking');
});
