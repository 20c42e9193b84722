import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path, { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Home } from '../../../../shared/node/files/home.ts';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { runInstaller } from '../../../../workers/jobs/software/run-installer.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { hash } from '../../../support/jobs/fake-vendors.ts';
import { killProcess, setup, startProcess } from '../../../support/jobs/start-process.ts';
import { requireRoot } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

/** Runs an installer whose "Java" is this shell script, and returns its output. */
async function runScript(t: Test, script: string, record = 'survival.installer') {
  const directory = t.testdir();
  const java = join(directory, 'java');
  writeFileSync(java, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const lines: string[] = [];
  const run = { java, jar: 'installer.jar', args: [], directory, title: 'Forge', record: join(directory, record) };
  const failure = await (async () => {
    for await (const step of runInstaller(run, new AbortController().signal))
      if ('progress' in step) lines.push(step.progress);
  })().catch((error: Error) => error.message);
  return { lines, failure, left: readdirSync(directory) };
}

t.test(
  'an installer’s output is shown without control sequences',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { lines, failure, left } = await runScript(
      t,
      String.raw`printf '\033[2J\033[31mTarget\a: \b/srv\n\033[0m\n'; exit 3`,
    );
    t.same(lines, ['Forge: Target :  /srv']);
    t.match(failure, /exit code 3\. Its last output: Target : {2}\/srv\.$/);
    t.same(left, ['java'], 'the record is removed when it ends');
  },
);

t.test('a line that is longer than any string is cut', { skip: process.platform === 'win32' }, async (t) => {
  const { lines, failure } = await runScript(
    t,
    "/usr/bin/head -c 600000000 /dev/zero | /usr/bin/tr '\\0' x; printf '\\ndone\\r\\n'",
  );
  t.equal(failure, undefined);
  t.same(lines, [`Forge: ${'x'.repeat(300)}`, 'Forge: done']);
});

t.test('an installer can run as another user, whose home is the folder', async (t) => {
  if (!requireRoot(t)) return;
  const directory = temporaryFolder(t);
  chmodSync(directory, 0o711);
  const java = join(directory, 'java');
  writeFileSync(java, '#!/bin/sh\n/usr/bin/id -u; echo "$HOME"\n', { mode: 0o755 });
  const user = { name: 'games', uid: 5, gid: 60 };
  const run = { java, jar: 'x.jar', args: [], directory, title: 'Forge', user, record: join(directory, 'record') };
  const lines: string[] = [];
  for await (const step of runInstaller(run, new AbortController().signal))
    if ('progress' in step) lines.push(step.progress);
  t.strictSame(lines, ['Forge: 5', `Forge: ${directory}`]);
});

t.test('an installer that cannot be recorded does not start', { skip: process.platform === 'win32' }, async (t) => {
  const { failure, left } = await runScript(t, 'touch begun', 'nowhere/survival.installer');
  t.match(failure, /could not be started/);
  t.same(left, ['java']);
});

const JAR = Buffer.from('an installer');

/** A downloaded Forge that is not installed yet, and a Java 17 that records its process and never ends, as an installer may. */
async function withEndlessInstaller(t: Test) {
  const { home, daemon } = await setup(t);
  const config = instanceConfig(home, 'survival', { software: 'forge', version: '1.19.4' });
  daemon.instances.set('survival', { config, runtime: { phase: 'provisioning' }, socket: null });
  const digest = { algorithm: 'sha256', hex: hash('sha256', JAR) };
  const installed = { kind: 'forge', version: '1.19.4', build: '1.19.4-45.4.0', java: 17 };
  const file = { url: 'https://example.org/installer.jar', digest };
  put(path.join(home.installed, 'survival.json'), JSON.stringify({ ...installed, file }));
  put(path.join(home.cache, 'downloads', `sha256-${digest.hex}`), JAR);
  const pids = path.join(home.root, 'pids');
  put(
    path.join(home.runtimes, 'java-17/bin/java'),
    `#!/bin/sh
case "$1" in
  -version) echo 'openjdk version "17.0.1"' >&2 ;;
  *) echo $$ >> '${pids}'; exec /bin/sleep 600 ;;
esac
`,
  );
  // The file is empty for a moment, before the first one is written.
  const started = () => (existsSync(pids) ? [...readFileSync(pids, 'utf8').matchAll(/\d+\n/g)].map(Number) : []);
  t.teardown(() => started().forEach(end));
  return { home, started };
}

function put(file: string, content: string | Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: 0o755 });
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as expected.
  }
}

const lives = async (pid: number) => (await identifyProcess(pid)) !== undefined;

/** Starts jobs and an installation, and resolves to the installer's process. */
async function install(t: Test, { home, started }: { home: Home; started: () => number[] }) {
  const before = started().length;
  const jobs = await startProcess(t, home);
  const alive = [];
  for (const pid of started()) if (await lives(pid)) alive.push(pid);
  const following = (async () => {
    for await (const _ of jobs.call.provision('survival'));
  })().catch(() => undefined);
  const pid = await until('the installer is running', () => started()[before]);
  return { jobs, alive, pid, following };
}

t.test('an installer that a killed jobs process left running is ended before the next one', async (t) => {
  if (process.platform === 'win32') return;
  const place = await withEndlessInstaller(t);
  const first = await install(t, place);
  await killProcess(first.jobs);
  t.ok(await lives(first.pid), 'the installer keeps running');

  const second = await install(t, place);
  t.same(second.alive, [], 'it is ended before jobs are ready');
  t.ok(await lives(second.pid));

  second.jobs.child.kill('SIGTERM');
  await second.following;
  await until('a cancelled installation ends its installer', async () => !(await lives(second.pid)));
  await until('nothing is recorded', () => !existsSync(place.home.installerRecord('survival')));
});
