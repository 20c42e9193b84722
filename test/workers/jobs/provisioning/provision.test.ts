import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { Provisioned } from '../../../../shared/contract/jobs.ts';
import { VERSION } from '../../../../shared/domain/version.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { hash, SERVER_JAR, startFakeVendors } from '../../../support/jobs/fake-vendors.ts';
import { startTestJobs, type TestJobs } from '../../../support/jobs/test-jobs.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

/** Runs an installation to its end. */
async function provision(jobs: TestJobs, id = 'survival'): Promise<{ lines: string[]; done: Provisioned }> {
  const lines: string[] = [];
  for await (const step of jobs.call.provision(id)) {
    if ('done' in step) return { lines, done: step.done };
    lines.push(step.progress);
  }
  throw new Error('it ended without a result');
}

async function setup(t: Test, config: Partial<InstanceConfig> = {}, java?: Buffer) {
  const vendors = await startFakeVendors(t, java && { java });
  const jobs = await startTestJobs(t);
  jobs.daemon.settings.vendors = { mojang: vendors.base, adoptium: vendors.base, contact: 'admin@example.org' };
  configure(jobs, { software: 'vanilla', version: '1.19.4', ...config });
  return { vendors, jobs, jar: path.join(jobs.home.instanceDirectory('survival'), 'server.jar') };
}

function configure(jobs: TestJobs, config: Partial<InstanceConfig>, id = 'survival'): void {
  jobs.daemon.instances.set(id, {
    config: instanceConfig(jobs.home, id, config),
    runtime: { phase: 'provisioning' },
    socket: null,
  });
}

const withJava = (t: Test) => requireProgram(t, 'java', 'openjdk-17-jre-headless');

t.test('a vanilla server gets its verified program and Java, with progress lines', async (t) => {
  if (!withJava(t)) return;
  const { vendors, jobs, jar } = await setup(t);
  const { lines, done } = await provision(jobs);
  t.ok(readFileSync(jar).equals(SERVER_JAR));
  t.same(done, {
    java: path.join(jobs.home.runtimes, 'java-17/bin/java'),
    javaVersion: '17',
    start: ['-jar', 'server.jar'],
    settings: { version: '1.19.4' },
  });
  t.match(execFileSync(done.java!, ['--version'], { encoding: 'utf8' }), /openjdk 17/);
  t.match(lines[0], /^Downloading Minecraft \(vanilla\) 1\.19\.4 from 127\.0\.0\.1:\d+ \(1 MB\)\.$/);
  t.ok(lines.includes('Installed Minecraft (vanilla) 1.19.4.'));
  t.ok(lines.includes('Downloading Java 17: 50 %.'));
  t.equal(lines.at(-1), 'Installed Java 17 (jdk-17.0.15+6).');
  t.ok(vendors.requests.every(({ userAgent }) => userAgent === `Gamekeeper/${VERSION} (admin@example.org)`));
  t.same(readdirSync(jobs.home.runtimes), ['java-17', 'java-17.json'], 'no partial file is left');
  t.match(await jobs.call.jobs(), [{ kind: 'provision', instanceId: 'survival', state: 'done' }]);

  const asked = vendors.requests.length;
  await vendors.close();
  t.same(await provision(jobs), { lines: [], done }, 'the second start works offline');
  t.equal(vendors.requests.length, asked);
});

t.test('an installed server starts without its vendor, even if the cache was emptied', async (t) => {
  if (!withJava(t)) return;
  const { vendors, jobs } = await setup(t);
  const { done } = await provision(jobs);
  await vendors.close();
  rmSync(jobs.home.cache, { recursive: true });
  t.same(await provision(jobs), { lines: [], done });
});

t.test('the record of an earlier version of Gamekeeper is still understood', async (t) => {
  if (!withJava(t)) return;
  const { vendors, jobs, jar } = await setup(t, { javaVersion: '17' });
  mkdirSync(path.dirname(jar), { recursive: true });
  writeFileSync(path.join(path.dirname(jar), 'mine.jar'), 'whatever runs it');
  const former = path.join(jobs.home.cache, 'installed');
  mkdirSync(former, { recursive: true });
  const record = { kind: 'vanilla', version: '1.19.4', build: '', java: 17, own: 'mine.jar' };
  writeFileSync(path.join(former, 'survival.json'), JSON.stringify(record));
  await jobs.restart();
  t.match(await provision(jobs), { done: { start: ['-jar', 'mine.jar'] } });
  t.same(
    vendors.requests.filter(({ path: asked }) => asked === '/server.jar'),
    [],
  );
  t.notOk(existsSync(former));
});

t.test('"latest" stays the version that was installed first', async (t) => {
  if (!withJava(t)) return;
  const { jobs } = await setup(t, { version: 'latest' });
  t.match(await provision(jobs), { done: { settings: { version: '1.19.4' } } });
  t.equal(jobs.daemon.instances.get('survival')?.config.version, '1.19.4');
});

t.test('a version that needs Java 16 gets 17', async (t) => {
  if (!withJava(t)) return;
  const { jobs } = await setup(t, { version: '1.17.1' });
  t.match(await provision(jobs), { done: { javaVersion: '17' } });
});

t.test('a foreign program with the same name is kept, and one of ours is replaced', async (t) => {
  if (!withJava(t)) return;
  const { vendors, jobs, jar } = await setup(t);
  mkdirSync(path.dirname(jar), { recursive: true });
  writeFileSync(jar, 'somebody else’s');
  const { lines } = await provision(jobs);
  t.ok(lines.includes('Kept the existing server.jar as server.jar.replaced.'));
  t.equal(readFileSync(`${jar}.replaced`, 'utf8'), 'somebody else’s');

  const newer = Buffer.from('newer');
  vendors.files.set('/newer.jar', newer);
  const versionFile = JSON.stringify({
    downloads: { server: { url: `${vendors.base}/newer.jar`, sha1: hash('sha1', newer), size: newer.length } },
    javaVersion: { majorVersion: 17 },
  });
  vendors.files.set('/v1/1.17.1.json', Buffer.from(versionFile));
  const list = JSON.parse(vendors.files.get('/mc/game/version_manifest_v2.json')!.toString());
  list.versions[1].sha1 = hash('sha1', versionFile);
  vendors.files.set('/mc/game/version_manifest_v2.json', Buffer.from(JSON.stringify(list)));
  configure(jobs, { software: 'vanilla', version: '1.17.1' });
  const { lines: downgrade } = await provision(jobs);
  t.match(downgrade[0], /^Version 1\.17\.1 is older than 1\.19\.4, which was installed before\. It may damage a world/);
  t.equal(readFileSync(jar, 'utf8'), 'newer');
  t.same(readdirSync(path.dirname(jar)).toSorted(), ['server.jar', 'server.jar.replaced']);

  writeFileSync(jar, 'another file of somebody else');
  t.match((await provision(jobs)).lines, ['Kept the existing server.jar as server.jar.replaced-2.', /^Installed/]);
  t.equal(readFileSync(`${jar}.replaced`, 'utf8'), 'somebody else’s');
  t.equal(readFileSync(`${jar}.replaced-2`, 'utf8'), 'another file of somebody else');
});

t.test('kinds that need nothing get nothing, and any kind gets its `javaVersion`', async (t) => {
  if (!withJava(t)) return;
  const { vendors, jobs } = await setup(t, { software: 'custom' });
  const { lines, done } = await provision(jobs);
  t.same([lines, Object.keys(done)], [[], ['settings']]);
  t.same(vendors.requests, []);
  configure(jobs, { software: 'custom', javaVersion: '17' });
  t.match(await provision(jobs), { done: { javaVersion: '17', java: /java-17/, settings: { javaVersion: '17' } } });
});

t.test('a server with more memory than the machine has gets a warning', async (t) => {
  if (!withJava(t)) return;
  const { jobs } = await setup(t, { memoryMb: 100_000_000 });
  const { lines } = await provision(jobs);
  t.match(lines.at(-1), /^The server may use 100000000 MB of memory, but this machine has only \d+ MB\. .*memoryMb/);
  configure(jobs, { software: 'vanilla', version: '1.19.4', memoryMb: 64 });
  t.same((await provision(jobs)).lines, []);
});

t.test('two servers that need the same file share one download', async (t) => {
  if (!withJava(t)) return;
  const { vendors, jobs } = await setup(t);
  configure(jobs, { software: 'vanilla', version: '1.19.4' }, 'creative');
  const both = await Promise.all([provision(jobs, 'survival'), provision(jobs, 'creative')]);
  t.same(both[0].done, both[1].done);
  const count = (name: string) => vendors.requests.filter((request) => request.path === name).length;
  t.equal(count('/server.jar'), 1);
  t.equal(count('/jre.tar.gz'), 1);
});

t.test('a Java that no longer runs is installed again', async (t) => {
  if (!withJava(t)) return;
  const { jobs } = await setup(t, { software: 'custom', javaVersion: '17' });
  await provision(jobs);
  rmSync(path.join(jobs.home.runtimes, 'java-17/lib'), { recursive: true });
  const again = await provision(jobs);
  t.match(again.lines, ['Looking for Java 17.', /Downloading/]);
  t.match(execFileSync(again.done.java!, ['--version'], { encoding: 'utf8' }), /openjdk 17/);
});

t.test('a download with the wrong hash is not installed and leaves no file', async (t) => {
  const { vendors, jobs, jar } = await setup(t);
  const forged = Buffer.from(SERVER_JAR);
  forged[100]! ^= 1;
  for (const wrong of [forged, SERVER_JAR.subarray(1), Buffer.concat([SERVER_JAR, Buffer.from('x')])]) {
    vendors.files.set('/server.jar', wrong);
    await t.rejects(provision(jobs), { code: 'vendor_unavailable', message: /is damaged/ });
  }
  t.throws(() => readFileSync(jar), { code: 'ENOENT' });
  t.same(readdirSync(path.join(jobs.home.cache, 'downloads')), []);
  t.match((await jobs.call.jobs())[0], { kind: 'provision', state: 'failed', error: { code: 'vendor_unavailable' } });

  vendors.files.set('/v1/1.17.1.json', Buffer.from(vendors.files.get('/v1/1.19.4.json')!));
  configure(jobs, { software: 'vanilla', version: '1.17.1' });
  await t.rejects(provision(jobs), { code: 'vendor_unavailable', message: /checksum is wrong/ });
});

t.test('a vendor’s failure names the vendor and what to do', async (t) => {
  const { vendors, jobs } = await setup(t);
  const host = new URL(vendors.base).host;
  vendors.files.delete('/server.jar');
  await t.rejects(provision(jobs), { code: 'vendor_unavailable', message: `${host} returned status 404.` });
  vendors.files.set('/mc/game/version_manifest_v2.json', Buffer.from('<html>'));
  configure(jobs, { software: 'vanilla', version: '1.17.1' });
  await t.rejects(provision(jobs), { message: `${host} sent a response that Gamekeeper does not understand.` });
  await vendors.close();
  await t.rejects(provision(jobs), {
    code: 'vendor_unavailable',
    message: `${host} could not be reached (ECONNREFUSED).`,
    resolution: /internet connection.*vendors\.mojang/,
  });
});

t.test('versions that do not exist are refused with a hint', async (t) => {
  const { jobs } = await setup(t);
  const cases = {
    '9.9.9': /Minecraft has no version "9\.9\.9"/,
    '1.0': /There is no server to download for Minecraft "1\.0"/,
    '../../../etc/passwd': /has no version/,
  };
  for (const [version, message] of Object.entries(cases)) {
    configure(jobs, { software: 'vanilla', version });
    await t.rejects(provision(jobs), { code: 'version_not_found', message, resolution: /version/ }, version);
  }
  configure(jobs, { software: 'vanilla', version: '99.1' });
  await t.rejects(provision(jobs), { code: 'launch_failed', message: /needs Java 99/ });
});

t.test('a Java with a link out of its folder is refused', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'jre/bin'), { recursive: true });
  symlinkSync('/usr/bin/env', path.join(folder, 'jre/bin/java'));
  execFileSync('tar', ['-czf', path.join(folder, 'jre.tgz'), '-C', folder, 'jre']);
  const java = readFileSync(path.join(folder, 'jre.tgz'));
  const { jobs } = await setup(t, { software: 'custom', javaVersion: '17' }, java);
  await t.rejects(provision(jobs), { code: 'installation_failed', message: /link that leaves its folder/ });
  t.same(readdirSync(jobs.home.runtimes), []);
});

t.test('an installation is cancelled with its job, or when its caller leaves', async (t) => {
  const { jobs } = await setup(t, {}, Buffer.alloc(1000));
  const gate = Promise.withResolvers<void>();
  const settings = jobs.daemon.settings;
  jobs.daemon.beforeSettings = () => gate.promise;
  const leaving = new AbortController();
  const following = (async () => {
    for await (const step of jobs.call.provision('survival', { signal: leaving.signal })) t.fail(JSON.stringify(step));
  })();
  await until('it runs', async () => (await jobs.call.jobs()).some(({ state }) => state === 'running'));
  leaving.abort();
  await following;
  gate.resolve();
  await until('it has ended', async () => (await jobs.call.jobs()).every(({ state }) => state === 'cancelled'));
  t.equal(jobs.daemon.settings, settings);
});

t.test('an abandoned installation lets the next one start and removes its leftovers', async (t) => {
  const { jobs, jar } = await setup(t, {}, Buffer.alloc(1000));
  for await (const step of jobs.call.provision('survival')) {
    t.match(step, { progress: /^Downloading Minecraft/ });
    break;
  }
  // Java cannot be downloaded here, but it comes after the program.
  await t.rejects(provision(jobs), { code: 'installation_failed', message: /^Java could not be installed/ });
  t.ok(readFileSync(jar).equals(SERVER_JAR));
  t.same(readdirSync(path.join(jobs.home.cache, 'downloads')).toSorted(), [
    `sha1-${hash('sha1', SERVER_JAR)}`,
    `sha256-${hash('sha256', Buffer.alloc(1000))}`,
  ]);
});
