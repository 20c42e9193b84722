import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { createVersionLists } from '../../../../workers/jobs/software/version-lists.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { startFakeVendors } from '../../../support/jobs/fake-vendors.ts';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const NO_JAVA = { java: Buffer.alloc(10) };

t.test('versions come newest first, are remembered for a while, and stay available offline', async (t) => {
  const vendors = await startFakeVendors(t, NO_JAVA);
  let now = Date.parse('2026-11-20T08:00:00Z');
  const lists = createVersionLists({
    cache: temporaryFolder(t),
    software: async (kind) => softwareOf(kind),
    vendors: async () => ({ mojang: vendors.base }),
    now: () => now,
  });
  const list = () => lists('vanilla', AbortSignal.timeout(120_000));
  const first = await list();
  t.match(first, { kind: 'vanilla', fetchedAt: '2026-11-20T08:00:00.000Z', ageSeconds: 0, stale: false });
  t.match(first.versions[0], { version: '1.19.4', stable: true });
  now += 60_000;
  t.match(await list(), { ageSeconds: 60, stale: false });
  t.equal(vendors.requests.length, 1, 'only one request');
  now += 3_600_000;
  await vendors.close();
  t.match(await list(), { ageSeconds: 3660, stale: true, versions: first.versions });
  await t.rejects(lists('demo', AbortSignal.timeout(1000)), { code: 'software_not_found' });
  await t.rejects(lists('nothing', AbortSignal.timeout(1000)), { code: 'software_not_found' });
});

function fakeRuntime(root: string, version: string): void {
  const folder = path.join(root, `java-${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'release'), `IMPLEMENTOR="Eclipse Adoptium"\nJAVA_VERSION="${version}.0.9"\n`);
}

t.test('runtimes list the instances that use them and can be removed when unused', async (t) => {
  const jobs = await startTestJobs(t, { instances: [] });
  for (const version of ['17', '21', '25']) fakeRuntime(jobs.home.runtimes, version);
  const config = instanceConfig(jobs.home, 'old', { software: 'custom', javaVersion: '17' });
  jobs.daemon.instances.set('old', { config, runtime: { phase: 'stopped' }, socket: null });
  t.match(await jobs.call.runtimes(), [
    { javaVersion: '17', release: '17.0.9', usedBy: ['old'] },
    { javaVersion: '21', usedBy: [] },
    { javaVersion: '25' },
  ]);
  await t.rejects(jobs.call.removeRuntimes({ javaVersion: '17' }), { code: 'runtime_in_use', message: /^(?!.*old)/ });
  await t.rejects(jobs.call.removeRuntimes({ javaVersion: '8' }), { code: 'runtime_not_found' });
  t.same(await jobs.call.removeRuntimes({ javaVersion: '21' }), ['21']);
  t.same(await jobs.call.removeRuntimes({}), ['25']);
  t.same(
    (await jobs.call.runtimes()).map(({ javaVersion }) => javaVersion),
    ['17'],
  );
});

t.test('a Java is not removed while a server runs on it or any Java is being installed', async (t) => {
  const jobs = await startTestJobs(t, { instances: [] });
  for (const version of ['17', '21']) fakeRuntime(jobs.home.runtimes, version);
  const config = instanceConfig(jobs.home, 'one', { software: 'custom', javaVersion: '21' });
  const javaProgram = path.join(jobs.home.runtimes, 'java-17/bin/java');
  for (const runtime of [
    { phase: 'running', javaProgram },
    { phase: 'crashed', javaProgram },
    { phase: 'provisioning' },
  ] as const) {
    jobs.daemon.instances.set('one', { config, runtime, socket: null });
    await t.rejects(jobs.call.removeRuntimes({ javaVersion: '17' }), { code: 'runtime_in_use' }, runtime.phase);
    t.same(await jobs.call.removeRuntimes({}), [], runtime.phase);
    t.ok(existsSync(path.dirname(path.dirname(javaProgram))));
  }
  jobs.daemon.instances.set('one', { config, runtime: { phase: 'stopped' }, socket: null });
  t.same(await jobs.call.removeRuntimes({}), ['17']);
});
