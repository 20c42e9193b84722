import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { killTerminal } from '../support/processes/spawned-supervisor.ts';

const PASSWORD = 'a password for rcon';

/** Returns the pid of the only process that matches. */
function pidOf({ home }: Gamekeeper, command: RegExp): number {
  const found = processesOf(home).filter((candidate) => command.test(candidate.command));
  if (found.length !== 1) throw new Error(`${found.length} processes match ${command}`);
  return found[0]!.pid;
}

const readInstance = async ({ api }: Gamekeeper, id: string) => (await api<Instance>('GET', `/instances/${id}`)).body;

async function startDemo(t: Test): Promise<{ gamekeeper: Gamekeeper; game: number }> {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  return { gamekeeper, game: pidOf(gamekeeper, /workers\/demo/) };
}

/** Kills the supervisor. Resolves once another one supervises the same game, which is not shown as impaired. */
async function replaceSupervisor(gamekeeper: Gamekeeper, lose = async () => {}): Promise<void> {
  const former = pidOf(gamekeeper, /workers\/supervisor/);
  process.kill(former, 'SIGKILL');
  await lose();
  await until('another supervisor has the game', async () => {
    const supervisors = processesOf(gamekeeper.home).filter(({ command }) => /workers\/supervisor/.test(command));
    const { phase, degraded } = await readInstance(gamekeeper, 'demo');
    return supervisors.some(({ pid }) => pid !== former) && phase === 'running' && degraded === undefined;
  });
}

t.test('after kill -9 of its supervisor, also together with the daemon, any game keeps running', async (t) => {
  const { gamekeeper, game } = await startDemo(t);
  const viewer = await gamekeeper.console('demo');
  await replaceSupervisor(gamekeeper);
  t.equal(pidOf(gamekeeper, /workers\/demo/), game);
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'say still here' });
  await viewer.waitFor(/still here/);

  await replaceSupervisor(gamekeeper, async () => {
    await gamekeeper.endDaemon('SIGKILL');
    await gamekeeper.startDaemon();
  });
  t.equal(pidOf(gamekeeper, /workers\/demo/), game);
  t.equal((await readInstance(gamekeeper, 'demo')).crash, undefined, 'nothing has crashed');
  await gamekeeper.api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/demo/logs?lines=1000')).body;
  t.match(lines.join('\n'), /still here.*has stopped/s);
  t.same(
    processesOf(gamekeeper.home).filter(({ command }) => /gamekeeper-terminal/.test(command)),
    [],
    'nothing holds the terminal any more',
  );
});

t.test(
  'what waits for a restart survives the supervisor and the daemon, and so does a restart that waits',
  async (t) => {
    const { gamekeeper, game } = await startDemo(t);
    const { api } = gamekeeper;
    await api('POST', '/instances/demo/commands', { command: 'demo join Steve' });
    await until('Steve is online', async () => (await readInstance(gamekeeper, 'demo')).playersOnline === 1);
    const changed = await api<Instance>('PATCH', '/instances/demo', { memoryMb: 1024 });
    const pendingRestart = [{ setting: 'memoryMb', running: '2048', configured: '1024' }];
    t.same(changed.body.pendingRestart, pendingRestart, 'the answer has it');
    await api('PUT', '/instances/demo/properties', { properties: { 'view-distance': '12' } });
    pendingRestart.push({ setting: 'properties.view-distance', running: '10', configured: '12' });
    t.equal((await api('POST', '/instances/demo/restart-when-empty')).status, 200);
    t.match(await readInstance(gamekeeper, 'demo'), { pendingRestart, restartWhenEmpty: true });

    await replaceSupervisor(gamekeeper, async () => {
      await gamekeeper.endDaemon('SIGKILL');
      await gamekeeper.startDaemon();
    });
    t.equal(pidOf(gamekeeper, /workers\/demo/), game);
    t.match(await readInstance(gamekeeper, 'demo'), { pendingRestart, restartWhenEmpty: true });
    await gamekeeper.endDaemon('SIGKILL');
    await gamekeeper.startDaemon();
    await api('POST', '/instances/demo/commands', { command: 'demo leave Steve' });
    await until('another game process runs', async () => {
      const games = processesOf(gamekeeper.home).filter(({ command }) => /workers\/demo/.test(command));
      return games.some(({ pid }) => pid !== game) && (await readInstance(gamekeeper, 'demo')).phase === 'running';
    });
    const { body } = await api<Instance>('GET', '/instances/demo');
    t.notOk('pendingRestart' in body || 'restartWhenEmpty' in body);
    t.equal((await api('POST', '/instances/demo/restart-when-empty')).status, 200);
    t.equal((await api('POST', '/instances/demo/cancel-restart')).status, 200);
    t.notOk('restartWhenEmpty' in (await readInstance(gamekeeper, 'demo')));
  },
);

/** Kills what holds the terminal of a game, and its supervisor before that can act on it. */
function killBoth(gamekeeper: Gamekeeper, id: string): void {
  const supervisor = pidOf(gamekeeper, /workers\/supervisor/);
  killTerminal(homeAt(gamekeeper.home), id);
  process.kill(supervisor, 'SIGKILL');
}

t.test('a game that ends with its terminal is started again if that is killed as well, never twice', async (t) => {
  const { gamekeeper, game } = await startDemo(t);
  killBoth(gamekeeper, 'demo');
  let most = 0;
  await until('another game process runs', async () => {
    const games = processesOf(gamekeeper.home).filter(({ command }) => /workers\/demo/.test(command));
    most = Math.max(most, games.length);
    return games.some(({ pid }) => pid !== game) && (await readInstance(gamekeeper, 'demo')).phase === 'running';
  });
  t.equal(most, 1, 'two never run at the same time');
  t.match((await readInstance(gamekeeper, 'demo')).crash, { reason: /supervises/ });
});

t.test('after kill -9 of everything but the game, the next daemon starts it again and reports why', async (t) => {
  const { gamekeeper } = await startDemo(t);
  await gamekeeper.endDaemon('SIGKILL');
  killBoth(gamekeeper, 'demo');
  await until('everything has ended', () => processesOf(gamekeeper.home).length === 0);
  await gamekeeper.startDaemon();
  await gamekeeper.waitForStatus('demo', 'running');
  t.match((await readInstance(gamekeeper, 'demo')).crash, { reason: /supervises/ });
});

t.test('a stop cancels the pending restart of a server whose supervisor was killed', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const killed = new Set<number>();
  // Each further restart is delayed longer.
  while (killed.size < 5) {
    const supervisor = await until('another supervisor runs', () =>
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
  await until('the server is stopped', async () => (await readInstance(gamekeeper, 'demo')).phase === 'stopped');
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
  // In the managed folder, so that the teardown finds the game even without a supervisor.
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

t.test('after kill -9 of supervisor and terminal, a JVM keeps running with commands and console', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { gamekeeper, game } = await startJava(t);
  const viewer = await gamekeeper.console('java');
  killBoth(gamekeeper, 'java');
  await until('the game is recovered', () => isRecovered(gamekeeper));
  t.match((await gamekeeper.api('POST', '/instances/java/commands', { command: 'say hello' })).body, {
    output: 'ran say hello',
  });
  await viewer.waitFor(/INFO\]: hello/);
  t.equal(pidOf(gamekeeper, /MiniServer/), game);

  await gamekeeper.endDaemon('SIGKILL');
  process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
  await gamekeeper.startDaemon();
  await until('the next daemon has the game recovered', () => isRecovered(gamekeeper));
  t.equal(pidOf(gamekeeper, /MiniServer/), game);

  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
  await until('no process is left', () => processesOf(gamekeeper.home).length === 0);
  await gamekeeper.startDaemon();
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/java/logs?lines=1000')).body;
  // A recovered console follows the game's log file, so the game's lines may come before ours.
  const log = lines.join('\n');
  t.match(log, /Stopping: sent "stop" over RCON\./);
  t.match(log, /All dimensions are saved/);
});

/** Checks that a stop of the server "stuck" is refused within this time. */
async function refusal(t: Test, { api }: Gamekeeper, withinMs: number): Promise<void> {
  const begun = performance.now();
  t.match(await api('POST', '/instances/stuck/stop'), { status: 503, body: { code: 'worker_unavailable' } });
  const took = Math.round(performance.now() - begun);
  t.ok(took < withinMs, `after ${took} ms`);
}

t.test('a JVM without terminal is recovered after kill -9 of three supervisors in sequence', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { gamekeeper, game } = await startJava(t);
  killTerminal(homeAt(gamekeeper.home), 'java');
  const killed = new Set<number>();
  while (killed.size < 3) {
    const supervisor = await until('another supervisor runs', () =>
      processesOf(gamekeeper.home).find(
        ({ pid, command }) => /workers\/supervisor/.test(command) && pid !== game && !killed.has(pid),
      ),
    );
    process.kill(supervisor.pid, 'SIGKILL');
    killed.add(supervisor.pid);
  }
  await until('the game is recovered', () => isRecovered(gamekeeper), { deadlineMs: 20_000 });
  t.equal(pidOf(gamekeeper, /MiniServer/), game);
});

t.test('Ctrl-C right after kill -9 of a supervisor saves and stops its JVM', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { gamekeeper } = await startJava(t);
  process.kill(pidOf(gamekeeper, /workers\/supervisor/), 'SIGKILL');
  await gamekeeper.endDaemon('SIGINT');
  t.same(processesOf(gamekeeper.home), []);
  await gamekeeper.startDaemon();
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/java/logs?lines=1000')).body;
  // A recovered console follows the game's log file, so the game's lines may come before ours.
  const log = lines.join('\n');
  t.match(log, /Stopping: sent "stop" over RCON\./);
  t.match(log, /All dimensions are saved/);
});

t.test('after kill -9 of the daemon while a supervisor starts, only one supervisor is left', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  void gamekeeper.api('POST', '/instances/demo/start').catch(() => undefined); // cut off
  const supervisors = () => processesOf(gamekeeper.home).filter(({ command }) => /workers\/supervisor/.test(command));
  const first = (await until('a supervisor process exists', () => supervisors()[0])).pid;
  process.kill(first, 'SIGSTOP');
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  t.match(await gamekeeper.api('POST', '/instances/demo/start'), { status: 200 });
  try {
    process.kill(first, 'SIGCONT');
  } catch {
    // The daemon has already ended it.
  }
  await gamekeeper.waitForStatus('demo', 'running');
  const [only, ...others] = supervisors();
  t.same(others, []);
  t.not(only?.pid, first);
});

t.test('a supervisor that hangs is reported, and affects neither the daemon nor other servers', async (t) => {
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
  await until(
    'the instance is reported as unresponsive',
    async () => (await readInstance(gamekeeper, 'stuck')).degraded === 'unresponsive',
  );
  await asked;
  await refusal(t, gamekeeper, 1_500);
  t.match(await gamekeeper.api('PATCH', '/instances/stuck', { name: 'Held up' }), {
    status: 200,
    body: { name: 'Held up' },
  });
  process.kill(supervisor, 'SIGCONT');
  await until(
    'the supervisor answers again',
    async () => (await readInstance(gamekeeper, 'stuck')).degraded === undefined,
  );
  t.match(await readInstance(gamekeeper, 'stuck'), { phase: 'running' }, 'the refused stop is not executed later');
});

t.test('deleting a server whose supervisor hangs is refused soon and does not delay changes of others', async (t) => {
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
  await until('the server can be deleted', async () => (await api('DELETE', '/instances/idle')).status === 204);
});
