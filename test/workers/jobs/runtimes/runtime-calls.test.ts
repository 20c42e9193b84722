import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { InstanceRuntime } from '../../../../shared/domain/instance/runtime.ts';
import { createJavaBuilds } from '../../../../workers/jobs/runtimes/java-builds.ts';
import { probeJava } from '../../../../workers/jobs/runtimes/probe-java.ts';
import { tidyRuntimes } from '../../../../workers/jobs/runtimes/tidy-runtimes.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { hash, startFakeVendors } from '../../../support/jobs/fake-vendors.ts';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const DAY_MS = 24 * 3_600_000;

/** An archive with a program that reports this version of Java. */
function javaArchive(t: Test, release: string): Buffer {
  const folder = temporaryFolder(t);
  const root = path.join(folder, 'jre');
  mkdirSync(path.join(root, 'bin'), { recursive: true });
  writeFileSync(path.join(root, 'bin/java'), `#!/bin/sh\necho 'openjdk version "${release}"' >&2\n`);
  chmodSync(path.join(root, 'bin/java'), 0o755);
  writeFileSync(path.join(root, 'release'), `JAVA_VERSION="${release}"\n`);
  execFileSync('tar', ['-czf', path.join(folder, 'jre.tar.gz'), '-C', folder, 'jre']);
  return readFileSync(path.join(folder, 'jre.tar.gz'));
}

async function setup(t: Test) {
  const vendors = await startFakeVendors(t, { java: javaArchive(t, '17.0.15') });
  const jobs = await startTestJobs(t, { instances: [] });
  jobs.daemon.settings.vendors = { adoptium: vendors.base };
  const see = (runtime: InstanceRuntime) =>
    jobs.daemon.instances.set('one', {
      config: instanceConfig(jobs.home, 'one', { javaVersion: '17' }),
      runtime,
      socket: null,
    });
  see({ phase: 'provisioning' });
  const provision = async () => {
    for await (const step of jobs.call.provision('one')) if ('done' in step) return step.done.java!;
    throw new Error('it ended without a result');
  };
  return {
    jobs,
    see,
    provision,
    builds: () => readdirSync(jobs.home.runtimes).filter((name) => !name.endsWith('.json')),
    /** Makes the vendor offer this build. */
    publish(release: string) {
      const java = javaArchive(t, release);
      vendors.files.set('/newer.tar.gz', java);
      const file = {
        name: 'x',
        link: `${vendors.base}/newer.tar.gz`,
        size: java.length,
        checksum: hash('sha256', java),
      };
      const asset = { release_name: `jdk-${release}+1`, binary: { image_type: 'jre', package: file } };
      vendors.files.set('/v3/assets/latest/17/hotspot', Buffer.from(JSON.stringify([asset])));
    },
  };
}

t.test('an update adds a build for new starts, and the old build is removed when nothing runs on it', async (t) => {
  const { jobs, see, provision, builds, publish } = await setup(t);
  const old = await provision();
  t.same(await jobs.call.updateRuntime('17'), { javaVersion: '17', release: 'jdk-17.0.15+6', updated: false });
  see({ phase: 'running', javaProgram: old });
  publish('17.0.16');
  t.same(await jobs.call.updateRuntime('17'), { javaVersion: '17', release: 'jdk-17.0.16+1', updated: true });
  t.same(builds(), ['java-17', 'java-17-jdk-17.0.16+1'], 'a server runs on the old build');
  t.match(await jobs.call.runtimes(), [{ javaVersion: '17', release: '17.0.16', usedBy: ['one'] }]);
  const current = await provision();
  t.equal(current, path.join(jobs.home.runtimes, 'java-17-jdk-17.0.16+1/bin/java'));

  // It crashed and is about to be restarted on the same Java.
  see({ phase: 'crashed', javaProgram: old });
  await jobs.restart();
  t.ok(existsSync(old));
  see({ phase: 'running', javaProgram: current });
  publish('17.0.17');
  await jobs.call.updateRuntime('17');
  t.same(builds(), ['java-17-jdk-17.0.16+1', 'java-17-jdk-17.0.17+1']);
  await t.rejects(jobs.call.updateRuntime('21'), { code: 'runtime_not_found' });
  see({ phase: 'stopped' });
  jobs.daemon.instances.delete('one');
  t.same(await jobs.call.removeRuntimes({}), ['17']);
  t.same(readdirSync(jobs.home.runtimes), []);
});

t.test('a new build that does not run changes nothing', async (t) => {
  const { jobs, provision, builds, publish } = await setup(t);
  const java = await provision();
  publish('21.0.1');
  await t.rejects(jobs.call.updateRuntime('17'), { code: 'installation_failed' });
  t.same(builds(), ['java-17']);
  t.equal(await provision(), java);
});

t.test('a broken build stays while servers run on it', async (t) => {
  const { jobs, see, provision, builds } = await setup(t);
  const java = await provision();
  see({ phase: 'running', javaProgram: java });
  for (const expected of [
    ['java-17', 'java-17-jdk-17.0.15+6'],
    ['java-17', 'java-17-jdk-17.0.15+6', 'java-17-jdk-17.0.15+6-2'],
  ]) {
    for (const name of builds()) chmodSync(path.join(jobs.home.runtimes, name, 'bin/java'), 0o644);
    const other = await provision();
    t.same(builds(), expected);
    t.equal(other, path.join(jobs.home.runtimes, expected.at(-1)!, 'bin/java'));
    t.ok(existsSync(java));
  }
});

t.test('a Java that cannot be tried now is not downloaded again', async (t) => {
  const { jobs, provision, builds } = await setup(t);
  const java = await provision();
  const why = {
    'the kernel ended it': 'kill -9 $$',
    'it had no memory': 'echo "There is insufficient memory for the Java Runtime Environment to continue." >&2; exit 1',
  };
  for (const [title, does] of Object.entries(why)) {
    writeFileSync(java, `#!/bin/sh\n${does}\n`);
    t.equal(await provision(), java, title);
    t.ok(readFileSync(java, 'utf8').includes(does), 'the program is unchanged');
  }
  t.same(builds(), ['java-17']);
  t.same(await jobs.call.updateRuntime('17'), { javaVersion: '17', release: 'jdk-17.0.15+6', updated: false });
});

t.test('a probe tells a broken Java from a busy machine', async (t) => {
  const program = path.join(temporaryFolder(t), 'java');
  const says = async (script: string, timeoutMs?: number) => {
    writeFileSync(program, script);
    chmodSync(program, 0o755);
    return probeJava(program, timeoutMs);
  };
  t.equal(await probeJava(program), 'unusable', 'a missing program');
  t.equal(await says('#!/bin/sh\necho \'openjdk version "17.0.1"\' >&2\n'), 17);
  t.equal(await says('#!/bin/sh\nexec sleep 60\n', 100), 'busy');
  t.equal(await says('#!/bin/sh\nkill -SEGV $$\n'), 'unusable');
  t.equal(await says('#!/bin/sh\nexit 127\n'), 'unusable');
  t.equal(await says('MZ'), 'unusable', 'a program for another system');
});

t.test('a version that no instance has used for a month is removed automatically', async (t) => {
  const runtimes = temporaryFolder(t);
  for (const name of ['java-17', 'java-21', 'java-25']) mkdirSync(path.join(runtimes, name));
  const builds = createJavaBuilds(runtimes);
  const now = Date.now();
  for (const version of ['17', '21'] as const) await builds.noteUse(version, new Date(now));
  for (const version of ['17', '21'])
    utimesSync(path.join(runtimes, `java-${version}.json`), new Date(now), new Date(now - 31 * DAY_MS));
  const config = { id: 'one', javaVersion: '21' };
  const daemon = { instances: async () => [{ config, runtime: { phase: 'stopped' }, socket: null }] };
  const options = {
    builds,
    records: { read: async () => undefined },
    peers: { daemon },
    now: () => now,
  } as unknown as Parameters<typeof tidyRuntimes>[0];
  await tidyRuntimes(options, new AbortController().signal);
  t.same(await builds.installed(), ['21', '25'], 'the last use of 25 is unknown, so its month begins now');
  await tidyRuntimes({ ...options, now: () => now + 31 * DAY_MS }, new AbortController().signal);
  t.same(await builds.installed(), ['21']);
});
