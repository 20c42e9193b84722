import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/free-port.ts';
import { type Gamekeeper, startGamekeeper } from '../support/gamekeeper.ts';
import { processesOf } from '../support/leftovers.ts';
import { requireProgram } from '../support/system-packages.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'a password for rcon';

/** The one process that matches. */
function pidOf({ home }: Gamekeeper, command: RegExp): number {
  const found = processesOf(home).filter((candidate) => command.test(candidate.command));
  if (found.length !== 1) throw new Error(`${found.length} processes match ${command}`);
  return found[0]!.pid;
}

const readInstance = async ({ api }: Gamekeeper, id: string) => (await api<Instance>('GET', `/instances/${id}`)).body;

t.test(
  'kill -9 of the supervisor of a game that ends with its terminal: one new game, once the old is gone',
  async (t) => {
    const gamekeeper = await startGamekeeper(t);
    await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
    await gamekeeper.api('POST', '/instances/demo/start');
    await gamekeeper.waitForStatus('demo', 'running');
    const game = pidOf(gamekeeper, /workers\/demo/);
    process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
    let most = 0;
    await until('another one runs', async () => {
      const games = processesOf(gamekeeper.home).filter(({ command }) => /workers\/demo/.test(command));
      most = Math.max(most, games.length);
      return games.some(({ pid }) => pid !== game) && (await readInstance(gamekeeper, 'demo')).phase === 'running';
    });
    t.equal(most, 1, 'never two');
    t.match((await readInstance(gamekeeper, 'demo')).crash, { reason: /supervises/ });
  },
);

async function startJava(t: Test): Promise<{ gamekeeper: Gamekeeper; game: number }> {
  const gamekeeper = await startGamekeeper(t);
  const port = await freePort();
  await gamekeeper.api('POST', '/instances', {
    name: 'Java',
    software: 'custom',
    launch: { command: ['java', '-Xmx64M', 'MiniServer.java', String(port), PASSWORD] },
    readyPattern: String.raw`^Done \(`,
    rcon: { port, password: PASSWORD },
  });
  // In the managed folder, so that the end of the test finds the game whatever has become of its supervisor.
  const source = join(import.meta.dirname, '../fixtures/MiniServer.java');
  copyFileSync(source, join(gamekeeper.home, 'instances/java/MiniServer.java'));
  await gamekeeper.api('POST', '/instances/java/start');
  await gamekeeper.waitForStatus('java', 'running');
  return { gamekeeper, game: pidOf(gamekeeper, /MiniServer/) };
}

async function isTakenOver(gamekeeper: Gamekeeper): Promise<boolean> {
  const { phase, degraded } = await readInstance(gamekeeper, 'java');
  return phase === 'running' && degraded === 'taken-over';
}

t.test('kill -9 of the supervisor of a JVM: the game goes on, commands and console too', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { gamekeeper, game } = await startJava(t);
  const viewer = await gamekeeper.console('java');
  process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
  await until('it is taken over', () => isTakenOver(gamekeeper));
  t.match((await gamekeeper.api('POST', '/instances/java/commands', { command: 'say hello' })).body, {
    output: 'ran say hello',
  });
  await viewer.waitFor(/INFO\]: hello/);
  t.equal(pidOf(gamekeeper, /MiniServer/), game);

  await gamekeeper.endDaemon('SIGKILL');
  process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
  await gamekeeper.startDaemon();
  await until('a daemon that finds a game alone attends to it', () => isTakenOver(gamekeeper));
  t.equal(pidOf(gamekeeper, /MiniServer/), game);

  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
  await until('nothing is left', () => processesOf(gamekeeper.home).length === 0);
  await gamekeeper.startDaemon();
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/java/logs?lines=1000')).body;
  t.match(lines.join('\n'), /Stopping: sent "stop" over RCON\..*All dimensions are saved/s);
});

t.test('a supervisor that hangs: its instance says so, the others and the daemon do not notice', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  for (const name of ['Stuck', 'Well'])
    await gamekeeper.api('POST', '/instances', { name, software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/stuck/start');
  await gamekeeper.waitForStatus('stuck', 'running');
  const supervisor = pidOf(gamekeeper, /workers\/supervisor/);
  process.kill(supervisor, 'SIGSTOP');
  const asked = gamekeeper.api('POST', '/instances/stuck/stop');
  t.equal((await gamekeeper.api('POST', '/instances/well/start')).status, 200);
  await gamekeeper.waitForStatus('well', 'running');
  t.match(await gamekeeper.api('GET', '/health'), { status: 200 });
  await until('it is said', async () => (await readInstance(gamekeeper, 'stuck')).degraded === 'unresponsive');
  t.match(await asked, {
    status: 503,
    body: { code: 'worker_unavailable' },
  });
  process.kill(supervisor, 'SIGCONT');
  await until('it is well again', async () => {
    const { phase, degraded } = await readInstance(gamekeeper, 'stuck');
    return degraded === undefined && phase !== undefined;
  });
});
