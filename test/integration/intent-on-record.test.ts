import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import { connectSupervisor } from '../../shared/node/ipc/connect.ts';
import { writeIntent } from '../../shared/node/processes/intent-record.ts';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

/** Longer than the daemon waits between two heartbeats. Milliseconds. */
const LONGER_THAN_A_HEARTBEAT_MS = 4_000;
const ALWAYS = { restart: 'always', maxRestarts: 100, windowSeconds: 60 };
const NEVER = { restart: 'never' };
const PASSWORD = 'a password for rcon';
/** Ignores the loss of its terminal, and needs a second to stop. */
const SLOW_TO_STOP =
  'trap "" HUP; echo up; while read line; do [ "$line" = stop ] && sleep 1 && exit 0; done; sleep 1000';

const SLOW_GAME = / trap "" HUP; echo up/;

/** A Gamekeeper with one running server. */
async function running(t: Test, id: string, request: object): Promise<Gamekeeper> {
  const gamekeeper = await startGamekeeper(t);
  const created = await gamekeeper.api('POST', '/instances', { name: id, ...request });
  t.equal(created.status, 201, JSON.stringify(created.body));
  if (id === 'java')
    copyFileSync(
      join(import.meta.dirname, '../fixtures/MiniServer.java'),
      join(gamekeeper.home, 'instances/java/MiniServer.java'),
    );
  await gamekeeper.api('POST', `/instances/${id}/start`);
  await gamekeeper.waitForStatus(id, 'running');
  return gamekeeper;
}

const slowServer = (crashPolicy: object) => ({
  ...{ software: 'custom', launch: { command: ['sh', '-c', SLOW_TO_STOP] } },
  ...{ readyPattern: '^up$', stopCommand: 'stop', crashPolicy },
});

const find = ({ home }: Gamekeeper, command: RegExp) =>
  processesOf(home).filter((candidate) => command.test(candidate.command));

const phaseOf = async ({ api }: Gamekeeper, id: string) => (await api<Instance>('GET', `/instances/${id}`)).body.phase;

async function untilPhase(gamekeeper: Gamekeeper, id: string, phase: string): Promise<void> {
  await until(`${id} is ${phase}`, async () => (await phaseOf(gamekeeper, id)) === phase, {
    describe: async () => (await gamekeeper.api('GET', `/instances/${id}/logs?lines=20`)).body,
  });
}

function supervisorOf(t: Test, { home }: Gamekeeper, id: string) {
  const client = connectSupervisor(id, homeAt(home).supervisorSocket(id));
  t.teardown(() => client.close());
  return client.call;
}

function killSupervisor(gamekeeper: Gamekeeper): void {
  for (const { pid } of find(gamekeeper, /workers\/supervisor/)) process.kill(pid, 'SIGKILL');
}

/** Kills the daemon and the supervisors, and starts the next daemon once nothing is left of them. */
async function blackout(gamekeeper: Gamekeeper): Promise<void> {
  killSupervisor(gamekeeper);
  await gamekeeper.endDaemon('SIGKILL');
  await until('all of ours have ended', () => find(gamekeeper, /\/main\.js --home|gateway|workers\/jobs/).length === 0);
  await gamekeeper.startDaemon();
}

t.test('a stop that the paused daemon did not see is not undone when the supervisor is killed', async (t) => {
  const gamekeeper = await running(t, 'demo', { software: 'demo', crashPolicy: ALWAYS });
  const daemon = gamekeeper.pid();
  process.kill(daemon, 'SIGSTOP');
  const supervisor = supervisorOf(t, gamekeeper, 'demo');
  await supervisor.stop();
  await until('the stop is complete', async () => (await supervisor.status()).phase === 'stopped');
  killSupervisor(gamekeeper);
  // Then the daemon first writes to the dead supervisor, and loses what that had reported.
  await sleep(LONGER_THAN_A_HEARTBEAT_MS);
  process.kill(daemon, 'SIGCONT');
  const seen = await until('the daemon has noticed', async () => {
    const { body } = await gamekeeper.api<Instance>('GET', '/instances/demo');
    return body.phase !== 'running' && body;
  });
  t.equal(seen.phase, 'stopped');
  t.notOk(seen.crash);
});

for (const [what, lose] of [
  ['supervisor', async (gamekeeper: Gamekeeper) => killSupervisor(gamekeeper)],
  ['daemon and supervisor', blackout],
] as const) {
  t.test(`an acknowledged restart is completed although the ${what} died while the server stopped`, async (t) => {
    const gamekeeper = await running(t, 'slow', slowServer(NEVER));
    const [old] = find(gamekeeper, SLOW_GAME);
    t.ok(old);
    t.equal((await gamekeeper.api('POST', '/instances/slow/restart')).status, 200);
    await lose(gamekeeper);
    await until('another game process runs', () => find(gamekeeper, SLOW_GAME).some(({ pid }) => pid !== old?.pid));
    await untilPhase(gamekeeper, 'slow', 'running');
    t.equal(find(gamekeeper, SLOW_GAME).length, 1);
  });

  t.test(`an acknowledged stop is completed although the ${what} died while the server stopped`, async (t) => {
    const gamekeeper = await running(t, 'slow', slowServer(ALWAYS));
    t.equal(find(gamekeeper, SLOW_GAME).length, 1);
    t.equal((await gamekeeper.api('POST', '/instances/slow/stop')).status, 200);
    await lose(gamekeeper);
    await untilPhase(gamekeeper, 'slow', 'stopped');
    t.same(find(gamekeeper, SLOW_GAME), []);
  });

  t.test(`a sleeping server sleeps on after its ${what} died`, async (t) => {
    const gamekeeper = await running(t, 'demo', { software: 'demo', crashPolicy: NEVER, sleepWhenEmptyMinutes: 60 });
    await supervisorOf(t, gamekeeper, 'demo').sleep();
    await untilPhase(gamekeeper, 'demo', 'sleeping');
    const [old] = find(gamekeeper, /workers\/supervisor/);
    await lose(gamekeeper);
    await until('another supervisor runs', () =>
      find(gamekeeper, /workers\/supervisor/).some(({ pid }) => pid !== old?.pid),
    );
    await untilPhase(gamekeeper, 'demo', 'sleeping');
    t.notOk((await gamekeeper.api<Instance>('GET', '/instances/demo')).body.crash);
  });
}

t.test('a server that waits for its restart is restarted although daemon and supervisor died', async (t) => {
  const gamekeeper = await running(t, 'demo', { software: 'demo', crashPolicy: ALWAYS });
  for (const { pid } of find(gamekeeper, /workers\/demo/)) process.kill(pid, 'SIGKILL');
  await until('another game runs', () => find(gamekeeper, /workers\/demo/).length === 1);
  await untilPhase(gamekeeper, 'demo', 'running');
  // The restart after this crash is two seconds away.
  for (const { pid } of find(gamekeeper, /workers\/demo/)) process.kill(pid, 'SIGKILL');
  await untilPhase(gamekeeper, 'demo', 'crashed');
  await blackout(gamekeeper);
  await untilPhase(gamekeeper, 'demo', 'running');
});

t.test('a server that was stopped before everything was killed stays stopped, also with autoResume', async (t) => {
  const gamekeeper = await running(t, 'demo', { software: 'demo', crashPolicy: ALWAYS, autoResume: true });
  await gamekeeper.endDaemon('SIGKILL');
  const supervisor = supervisorOf(t, gamekeeper, 'demo');
  await supervisor.stop();
  await until('the stop is complete', async () => (await supervisor.status()).phase === 'stopped');
  killSupervisor(gamekeeper);
  await until('the supervisor is gone', () => find(gamekeeper, /workers\/supervisor/).length === 0);
  await gamekeeper.startDaemon();
  await gamekeeper.api('POST', '/instances', { name: 'Last', software: 'demo', autoStart: true });
  t.equal(await phaseOf(gamekeeper, 'demo'), 'stopped');
  await gamekeeper.endDaemon('SIGTERM');
  await gamekeeper.startDaemon();
  // Servers start in the order of their creation.
  await gamekeeper.waitForStatus('last', 'running');
  t.equal(await phaseOf(gamekeeper, 'demo'), 'stopped');
});

t.test('the stop of a JVM is continued over RCON after daemon and supervisor died', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const port = await freePort();
  const gamekeeper = await running(t, 'java', {
    software: 'custom',
    launch: { command: ['java', '-Xmx64M', 'MiniServer.java', String(port), PASSWORD] },
    readyPattern: String.raw`^Done \(`,
    ...{ rcon: { port, password: PASSWORD }, crashPolicy: ALWAYS },
  });
  killSupervisor(gamekeeper);
  await gamekeeper.endDaemon('SIGKILL');
  // As if the stop had just been accepted.
  writeIntent(homeAt(gamekeeper.home).intentRecord('java'), 'stopped');
  await gamekeeper.startDaemon();
  await untilPhase(gamekeeper, 'java', 'stopped');
  t.same(find(gamekeeper, /MiniServer/), []);
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/java/logs?lines=1000')).body;
  t.match(lines.join('\n'), /Stopping: sent "stop" over RCON\./);
});
