import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const limit = (pid: number, files: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:4096`]);

const SUPERVISOR_OF_TWO = /workers\/supervisor.*--instance two/;

interface Context {
  gamekeeper: Gamekeeper;
  viewer: Awaited<ReturnType<Gamekeeper['console']>>;
  pidOf: (command: RegExp) => number;
  gameOf: (id: string) => number;
  /** Lowers the limit of a process to the number of files that it has open. */
  exhaust: (pid: number) => void;
}

t.test('a process without free file descriptors harms no other process, and recovers', async (t) => {
  if (!requireProgram(t, 'prlimit', 'util-linux')) return;
  const gamekeeper = await startGamekeeper(t);
  for (const name of ['One', 'Two'])
    await gamekeeper.api('POST', '/instances', { name, software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/one/start');
  await gamekeeper.waitForStatus('one', 'running');
  const viewer = await gamekeeper.console('one');
  const pidOf = (command: RegExp) => processesOf(gamekeeper.home).find((found) => command.test(found.command))!.pid;
  const gameOf = (id: string) =>
    processesOf(gamekeeper.home).find(
      ({ pid, command }) =>
        /workers\/demo/.test(command) && readlinkSync(`/proc/${pid}/cwd`).endsWith(`instances/${id}`),
    )!.pid;
  /** Lowers the limit of a process to the number of files that it has open. */
  const exhaust = (pid: number) => limit(pid, readdirSync(`/proc/${pid}/fd`).length);

  const context = { gamekeeper, viewer, pidOf, gameOf, exhaust };

  await t.test('the daemon starts no server, and running servers are not affected', (t) =>
    daemonStartsNoServer(t, context),
  );

  await t.test('the daemon restarts the server of a supervisor that ended meanwhile as soon as it can', (t) =>
    daemonRestartsLater(t, context),
  );

  await t.test('the gateway keeps its connections, and accepts new ones when others have closed', (t) =>
    gatewayKeepsConnections(t, context),
  );

  await t.test('the game of a supervisor keeps running and can be stopped', (t) => gameKeepsRunning(t, context));

  await t.test('a supervisor restarts its crashed game as soon as it can', () => supervisorRestartsLater(context));

  await t.test('the jobs process refuses a backup and leaves nothing locked', (t) => jobsRefusesABackup(t, context));
});

async function daemonStartsNoServer(t: Test, { gamekeeper, viewer, exhaust }: Context): Promise<void> {
  const daemon = gamekeeper.pid();
  exhaust(daemon);
  const refused = await gamekeeper.api('POST', '/instances/two/start');
  t.ok(refused.status >= 500, String(refused.status));
  t.match(refused.body, { code: /./, resolution: /./ });
  await viewer.send('say through the drought');
  await viewer.waitFor(/through the drought/);
  limit(daemon, 4_096);
  await until('a start succeeds', async () => (await gamekeeper.api('POST', '/instances/two/start')).status === 200);
  await gamekeeper.waitForStatus('two', 'running');
  t.equal(gamekeeper.pid(), daemon);
}

async function daemonRestartsLater(t: Test, { gamekeeper, pidOf }: Context): Promise<void> {
  const daemon = gamekeeper.pid();
  const supervisor = pidOf(SUPERVISOR_OF_TWO);
  limit(daemon, 3);
  process.kill(supervisor, 'SIGKILL');
  await until('the daemon has tried to check', () =>
    /could not check whether a supervisor is alive/.test(
      readFileSync(path.join(gamekeeper.home, 'logs/daemon.log'), 'utf8'),
    ),
  );
  limit(daemon, 4_096);
  await until('another supervisor has the server', async () => {
    const { body } = await gamekeeper.api<Instance>('GET', '/instances/two');
    const supervisors = processesOf(gamekeeper.home).filter(({ command }) => SUPERVISOR_OF_TWO.test(command));
    return body.status === 'running' && supervisors.some(({ pid }) => pid !== supervisor);
  });
  t.equal(gamekeeper.pid(), daemon);
}

async function gatewayKeepsConnections(t: Test, { gamekeeper, viewer, pidOf, exhaust }: Context): Promise<void> {
  const gateway = pidOf(/gateway\/main/);
  const { hostname, port } = new URL(gamekeeper.addresses().panel);
  exhaust(gateway);
  const crowd: Socket[] = [];
  for (let n = 0; n < 30; n++) crowd.push(connect(Number(port), hostname).on('error', () => undefined));
  await Promise.all(crowd.map((socket) => once(socket, 'connect')));
  await viewer.send('say over the heads');
  await viewer.waitFor(/over the heads/);
  for (const socket of crowd) socket.destroy();
  limit(gateway, 4_096);
  await until('the gateway answers', () =>
    gamekeeper.api('GET', '/instances').then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  t.equal(pidOf(/gateway\/main/), gateway);
}

async function gameKeepsRunning(t: Test, { gamekeeper, viewer, pidOf, exhaust }: Context): Promise<void> {
  const supervisor = pidOf(/workers\/supervisor.*--instance one/);
  const game = (await gamekeeper.api<{ pid?: number }>('GET', '/instances/one')).body;
  t.match(game, { phase: 'running' });
  exhaust(supervisor);
  await viewer.send('say with bare hands');
  await viewer.waitFor(/with bare hands/);
  // The answer is searched for patterns, whose time limit needs descriptors.
  const kick = await gamekeeper.api('POST', '/instances/one/players/Nobody/kick', {});
  t.ok(kick.status < 500 || kick.status === 503, `${kick.status} ${JSON.stringify(kick.body)}`);
  t.equal(pidOf(/workers\/supervisor.*--instance one/), supervisor);
  t.equal((await gamekeeper.api('POST', '/instances/one/stop')).status, 200);
  await gamekeeper.waitForStatus('one', 'stopped');
  limit(supervisor, 4_096);
  await until('a start succeeds', async () => (await gamekeeper.api('POST', '/instances/one/start')).status === 200);
  await gamekeeper.waitForStatus('one', 'running');
  t.equal(pidOf(/workers\/supervisor.*--instance one/), supervisor);
}

async function supervisorRestartsLater({ gamekeeper, pidOf, gameOf }: Context): Promise<void> {
  const supervisor = pidOf(/workers\/supervisor.*--instance one/);
  const crash = async () => (await gamekeeper.api<Instance>('GET', '/instances/one')).body.crash?.reason ?? '';
  limit(supervisor, 3);
  process.kill(gameOf('one'), 'SIGKILL');
  await until('a restart has failed', async () => /Too many files are open\./.test(await crash()), {
    describe: crash,
  });
  limit(supervisor, 4_096);
  await gamekeeper.waitForStatus('one', 'running');
}

async function jobsRefusesABackup(t: Test, { gamekeeper, pidOf, exhaust }: Context): Promise<void> {
  t.equal((await gamekeeper.api('POST', '/instances/two/backup')).status, 200);
  const jobs = pidOf(/jobs\/main/);
  exhaust(jobs);
  t.match(await gamekeeper.api('POST', '/instances/two/backup'), {
    status: 503,
    body: { code: 'worker_unavailable', resolution: /^Try again in a moment\./ },
  });
  t.match((await gamekeeper.api('POST', '/instances/two/commands', { command: 'save-on' })).body, {
    output: 'Saving is already turned on',
  });
  limit(jobs, 4_096);
  await until('a backup succeeds', async () => (await gamekeeper.api('POST', '/instances/two/backup')).status === 200);
  t.equal(pidOf(/jobs\/main/), jobs);
}

t.test('a supervisor does not report a recovered game as ended while it cannot check', async (t) => {
  if (!requireProgram(t, 'prlimit', 'util-linux') || !requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', {
    name: 'Java',
    software: 'custom',
    launch: { command: ['java', '-Xmx64M', 'MiniServer.java', '0', 'none'] },
    readyPattern: String.raw`^Done \(`,
  });
  copyFileSync(
    path.join(import.meta.dirname, '../fixtures/MiniServer.java'),
    path.join(gamekeeper.home, 'instances/java/MiniServer.java'),
  );
  await gamekeeper.api('POST', '/instances/java/start');
  await gamekeeper.waitForStatus('java', 'running');
  const pidsOf = (command: RegExp) =>
    processesOf(gamekeeper.home).flatMap((found) => (command.test(found.command) ? [found.pid] : []));
  const instance = async () => (await gamekeeper.api<Instance>('GET', '/instances/java')).body;
  const [game] = pidsOf(/MiniServer/);
  const [former] = pidsOf(/workers\/supervisor/);
  process.kill(former!, 'SIGKILL');
  await until('the game is recovered', async () => {
    const [next] = pidsOf(/workers\/supervisor/);
    return next !== undefined && next !== former && (await instance()).phase === 'running';
  });

  const supervisor = pidsOf(/workers\/supervisor/)[0]!;
  limit(supervisor, 3);
  await until('the supervisor has tried to check', () =>
    /could not check whether the game is alive/.test(
      readFileSync(path.join(gamekeeper.home, 'logs/supervisors/java.log'), 'utf8'),
    ),
  );
  t.match(await instance(), { phase: 'running', degraded: undefined });
  limit(supervisor, 4_096);
  t.same(pidsOf(/MiniServer/), [game]);
  t.equal((await gamekeeper.api('POST', '/instances/java/stop')).status, 200);
  await gamekeeper.waitForStatus('java', 'stopped');
  t.same(pidsOf(/MiniServer/), []);
  t.equal((await gamekeeper.api('POST', '/instances/java/start')).status, 200);
  await gamekeeper.waitForStatus('java', 'running');
});
