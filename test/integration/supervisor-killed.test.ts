import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

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

t.test(
  'kill -9 of daemon and supervisor: the next daemon starts a game that has ended meanwhile, and says why',
  async (t) => {
    const gamekeeper = await startGamekeeper(t);
    await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
    await gamekeeper.api('POST', '/instances/demo/start');
    await gamekeeper.waitForStatus('demo', 'running');
    await gamekeeper.endDaemon('SIGKILL');
    process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
    await until('everything has ended', () => processesOf(gamekeeper.home).length === 0);
    await gamekeeper.startDaemon();
    await gamekeeper.waitForStatus('demo', 'running');
    t.match((await readInstance(gamekeeper, 'demo')).crash, { reason: /supervises/ });
  },
);

t.test('a stop while a lost server waits for its restart calls that off', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const killed = new Set<number>();
  // From the second on, each is waited for longer.
  while (killed.size < 5) {
    const supervisor = await until('there is another', () =>
      processesOf(gamekeeper.home).find(({ pid, command }) => /workers\/supervisor/.test(command) && !killed.has(pid)),
    );
    process.kill(supervisor.pid, 'SIGKILL');
    killed.add(supervisor.pid);
  }
  const stopped = await until('a supervisor answers', async () => {
    const answer = await api('POST', '/instances/demo/stop');
    return answer.status !== 503 && answer;
  });
  t.equal(stopped.status, 200);
  await until('it is stopped', async () => (await readInstance(gamekeeper, 'demo')).phase === 'stopped');
});

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

async function isRecovered(gamekeeper: Gamekeeper): Promise<boolean> {
  const { phase, degraded } = await readInstance(gamekeeper, 'java');
  return phase === 'running' && degraded === 'taken-over';
}

t.test('kill -9 of the supervisor of a JVM: the game goes on, commands and console too', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { gamekeeper, game } = await startJava(t);
  const viewer = await gamekeeper.console('java');
  process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
  await until('it is taken over', () => isRecovered(gamekeeper));
  t.match((await gamekeeper.api('POST', '/instances/java/commands', { command: 'say hello' })).body, {
    output: 'ran say hello',
  });
  await viewer.waitFor(/INFO\]: hello/);
  t.equal(pidOf(gamekeeper, /MiniServer/), game);

  await gamekeeper.endDaemon('SIGKILL');
  process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
  await gamekeeper.startDaemon();
  await until('a daemon that finds a game alone attends to it', () => isRecovered(gamekeeper));
  t.equal(pidOf(gamekeeper, /MiniServer/), game);

  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
  await until('nothing is left', () => processesOf(gamekeeper.home).length === 0);
  await gamekeeper.startDaemon();
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/java/logs?lines=1000')).body;
  t.match(lines.join('\n'), /Stopping: sent "stop" over RCON\..*All dimensions are saved/s);
});

/** A stop of the stuck one is refused within this time. */
async function refusal(t: Test, { api }: Gamekeeper, withinMs: number): Promise<void> {
  const begun = performance.now();
  t.match(await api('POST', '/instances/stuck/stop'), { status: 503, body: { code: 'worker_unavailable' } });
  const took = Math.round(performance.now() - begun);
  t.ok(took < withinMs, `after ${took} ms`);
}

t.test('kill -9 of the next supervisor, and of that one: a JVM is never left alone', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { gamekeeper, game } = await startJava(t);
  const killed = new Set<number>();
  while (killed.size < 3) {
    const supervisor = await until('there is another', () =>
      processesOf(gamekeeper.home).find(
        ({ pid, command }) => /workers\/supervisor/.test(command) && pid !== game && !killed.has(pid),
      ),
    );
    process.kill(supervisor.pid, 'SIGKILL');
    killed.add(supervisor.pid);
  }
  await until('it is taken over', () => isRecovered(gamekeeper), { deadlineMs: 20_000 });
  t.equal(pidOf(gamekeeper, /MiniServer/), game);
});

t.test('the end of everything right after a supervisor was killed: its JVM has saved and ended, too', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { gamekeeper } = await startJava(t);
  process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
  await gamekeeper.endDaemon('SIGINT');
  t.same(processesOf(gamekeeper.home), []);
  await gamekeeper.startDaemon();
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/java/logs?lines=1000')).body;
  t.match(lines.join('\n'), /Stopping: sent "stop" over RCON\..*All dimensions are saved/s);
});

t.test('kill -9 of the daemon while a supervisor begins: the next daemon has one, and no other is left', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  void gamekeeper.api('POST', '/instances/demo/start').catch(() => undefined); // cut off
  const supervisors = () => processesOf(gamekeeper.home).filter(({ command }) => /workers\/supervisor/.test(command));
  const first = (await until('there is one', () => supervisors()[0])).pid;
  process.kill(first, 'SIGSTOP');
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  t.match(await gamekeeper.api('POST', '/instances/demo/start'), { status: 200 });
  try {
    process.kill(first, 'SIGCONT');
  } catch {
    // As it should be: it was ended.
  }
  await gamekeeper.waitForStatus('demo', 'running');
  const [only, ...others] = supervisors();
  t.same(others, []);
  t.not(only?.pid, first);
});

t.test('a supervisor that hangs: its instance says so, the others and the daemon do not notice', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  for (const name of ['Stuck', 'Well'])
    await gamekeeper.api('POST', '/instances', { name, software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/stuck/start');
  await gamekeeper.waitForStatus('stuck', 'running');
  const supervisor = pidOf(gamekeeper, /workers\/supervisor/);
  process.kill(supervisor, 'SIGSTOP');
  const asked = refusal(t, gamekeeper, 4_500);
  t.equal((await gamekeeper.api('POST', '/instances/well/start')).status, 200);
  await gamekeeper.waitForStatus('well', 'running');
  t.match(await gamekeeper.api('GET', '/health'), { status: 200 });
  await until('it is said', async () => (await readInstance(gamekeeper, 'stuck')).degraded === 'unresponsive');
  await asked;
  await refusal(t, gamekeeper, 1_500);
  t.match(await gamekeeper.api('PATCH', '/instances/stuck', { name: 'Held up' }), {
    status: 200,
    body: { name: 'Held up' },
  });
  process.kill(supervisor, 'SIGCONT');
  await until('it is well again', async () => (await readInstance(gamekeeper, 'stuck')).degraded === undefined);
  t.match(await readInstance(gamekeeper, 'stuck'), { phase: 'running' }, 'what was refused is not done later');
});

t.test('deleting a server whose supervisor hangs is refused soon, and holds up no change of another', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  for (const name of ['Idle', 'Well'])
    await api('POST', '/instances', { name, software: 'demo', port: await freePort() });
  await api('POST', '/instances/idle/start');
  await gamekeeper.waitForStatus('idle', 'running');
  await api('POST', '/instances/idle/stop');
  await gamekeeper.waitForStatus('idle', 'stopped');
  const supervisor = pidOf(gamekeeper, /workers\/supervisor/);
  process.kill(supervisor, 'SIGSTOP');
  const begun = performance.now();
  const [deleted, changed] = await Promise.all([
    api('DELETE', '/instances/idle'),
    api('PATCH', '/instances/well', { name: 'Still well' }),
  ]);
  t.match(deleted, { status: 503, body: { code: 'worker_unavailable' } });
  t.equal(changed.status, 200);
  t.ok(performance.now() - begun < 7_000, `after ${Math.round(performance.now() - begun)} ms`);
  process.kill(supervisor, 'SIGCONT');
  await until('it can be deleted', async () => (await api('DELETE', '/instances/idle')).status === 204);
});
