import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type Home, homeAt } from '../../../../shared/node/files/home.ts';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { firstNewLine } from '../../../../workers/supervisor/game/recovered-game.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import {
  killSupervisor,
  killTerminal,
  type SpawnedSupervisor,
  spawnSupervisor,
  startGame,
} from '../../../support/processes/spawned-supervisor.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../../fixtures/MiniServer.java');
const PASSWORD = 'a password for rcon';

/** Starts a JVM, kills its supervisor and what holds its terminal, and starts the next supervisor. */
async function recovered(t: Test, { withRcon, beforeNext }: { withRcon: boolean; beforeNext?: (home: Home) => void }) {
  const home = homeAt(temporaryFolder(t));
  const directory = home.instanceDirectory('test');
  mkdirSync(directory, { recursive: true });
  copyFileSync(SOURCE, path.join(directory, 'MiniServer.java'));
  const port = withRcon ? await freePort() : 0;
  const config = {
    launch: { command: ['java', '-Xmx64M', '-XX:TieredStopAtLevel=1', 'MiniServer.java', String(port), PASSWORD] },
    readyPattern: String.raw`^Done \(`,
    ...(withRcon && { rcon: { port, password: PASSWORD } }),
  };
  const first = await spawnSupervisor(t, { home, config });
  const pid = await startGame(first);
  await first.client.call.command('say before the loss').catch(() => undefined);
  await shows(first, /before the loss/);
  await killSupervisor(first);
  killTerminal(home);
  t.ok(await isAlive(pid), 'the JVM keeps running without its terminal');
  beforeNext?.(home);
  const next = await spawnSupervisor(t, { home, config });
  await until('the game is recovered', async () => (await next.client.call.status()).phase === 'running', {
    describe: async () => ({ status: await next.client.call.status(), console: await linesOf(next) }),
  });
  return { pid, next };
}

async function isAlive(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) !== undefined;
}

/** A game that has just been created has not been recorded yet, and a SIGHUP still ends it: SIGHUP is the first bit of `SigIgn`. */
function survivesHangup(home: Home): boolean {
  const { pid } = JSON.parse(readFileSync(home.gameRecord('test'), 'utf8')) as { pid: number };
  return pid > 0 && /^SigIgn:\s.*[13579bdf]$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

const linesOf = ({ client }: SpawnedSupervisor) => client.call.logs({ lines: 1_000 });

async function shows(supervisor: SpawnedSupervisor, pattern: RegExp): Promise<void> {
  const describe = () => linesOf(supervisor);
  await until(`the console shows ${pattern}`, async () => (await describe()).some((line) => pattern.test(line)), {
    describe,
  });
}

t.test('a JVM whose supervisor is killed keeps running and is recovered until its next start', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { pid, next } = await recovered(t, { withRcon: true });
  const { call } = next.client;
  t.match(await call.status(), { pid, degraded: 'taken-over' });
  await shows(next, /^\[gamekeeper\] .*the server keeps running.*logs\/latest\.log.*RCON/);
  await t.rejects(call.start(), { code: 'invalid_state' }, 'a second game is refused');

  t.match(await call.command('say 203.0.113.7 came'), /^ran say \[ip-[0-9a-f]{6}\] came$/);
  await shows(next, /Server thread\/INFO\]: \[ip-[0-9a-f]{6}\] came/);
  await call.sendLine('say typed');
  await shows(next, /: typed$/);
  const before = (await linesOf(next)).filter((line) => /before the loss/.test(line));
  t.equal(before.length, 1, 'known lines are not shown again');

  await call.restart();
  await until('another game process runs', async () => {
    const status = await call.status();
    return status.phase === 'running' && status.pid !== pid;
  });
  t.notOk('degraded' in (await call.status()));
  t.notOk(await isAlive(pid));
  t.match((await linesOf(next)).join('\n'), /sent "stop" over RCON.*All dimensions are saved.*has stopped\./s);
});

t.test('a recovered game without RCON saves and stops on a signal', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { pid, next } = await recovered(t, { withRcon: false });
  const { call } = next.client;
  await t.rejects(call.command('list'), { code: 'rcon_unavailable', message: /console was lost/ });
  await call.stop();
  await until('the server is stopped', async () => (await call.status()).phase === 'stopped');
  t.notOk(await isAlive(pid));
  t.match((await linesOf(next)).join('\n'), /"stop" cannot be sent.*SIGTERM.*All dimensions are saved/s);
});

t.test('a recovered game that ends unexpectedly has crashed', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { pid, next } = await recovered(t, { withRcon: false });
  const { call } = next.client;
  process.kill(pid, 'SIGKILL');
  await until('the crash is noticed', async () => (await call.status()).phase === 'crashed');
  t.match((await call.status()).crash, { exitCode: null, signal: null, failedStart: undefined });
});

t.test('a recovered game that a player stops has not crashed', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const { next } = await recovered(t, { withRcon: true });
  const { call } = next.client;
  await call.sendLine('op-stop Eve');
  await until('the server is stopped', async () => ['stopped', 'crashed'].includes((await call.status()).phase));
  t.match(await call.status(), { phase: 'stopped', crash: undefined });
});

t.test('a recovered game becomes ready even if its supervisor was killed before it recorded that', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  await recovered(t, {
    withRcon: false,
    beforeNext(home) {
      const file = home.gameRecord('test');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"ready":true', '"ready":false'));
    },
  });
});

t.test('no line is lost of a game whose supervisor is killed before it prints anything', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const home = homeAt(temporaryFolder(t));
  const directory = home.instanceDirectory('test');
  mkdirSync(directory, { recursive: true });
  copyFileSync(SOURCE, path.join(directory, 'MiniServer.java'));
  const config = {
    launch: { command: ['java', '-Xmx64M', '-XX:TieredStopAtLevel=1', 'MiniServer.java', '0', PASSWORD] },
    readyPattern: String.raw`^Done \(`,
  };
  const first = await spawnSupervisor(t, { home, config });
  await startGame(first);
  await first.client.call.stop();
  await until('it has stopped', async () => (await first.client.call.status()).phase === 'stopped');
  const log = path.join(directory, 'logs/latest.log');
  const former = readFileSync(log, 'utf8');
  await first.client.call.start();
  await until('the new game survives without its terminal', () => survivesHangup(home));
  await killSupervisor(first);
  killTerminal(home);
  await until('the new game has printed its first lines', () => {
    const logged = readFileSync(log, 'utf8');
    return logged !== former && /Done \(/.test(logged);
  });
  const next = await spawnSupervisor(t, { home, config });
  await until('the game is recovered', async () => (await next.client.call.status()).phase === 'running');
  await until(
    'both games are shown',
    async () => (await linesOf(next)).filter((line) => /Done \(/.test(line)).length > 1,
  );
  t.equal((await linesOf(next)).filter((line) => /Done \(/.test(line)).length, 2);
});

t.test('the first new line follows the last place that matches the end of the console', (t) => {
  const logged = ['[12:00:00] [main/INFO]: a', '[12:00:00] [main/INFO]: b', '[12:00:01] [main/INFO]: a', 'c', 'd'];
  const first = (lastLines: string[], hasNoneOfGame = false) =>
    firstNewLine(logged, { lastLines, hasNoneOfGame, redact: (text) => text });
  t.equal(first(['[12:00:00 INFO]: a']), 3);
  t.equal(first(['[12:00:00 INFO]: a', '[12:00:00 INFO]: b']), 2);
  t.equal(first(['[12:00:00 INFO]: a', '[gamekeeper] Stopping.', 'c']), 4);
  t.equal(first(['elsewhere']), 5, 'no lines instead of all lines again');
  t.equal(first([]), 5);
  t.equal(first(['[12:00:00 INFO]: of the game before'], true), 0);
  t.equal(first(['c'], true), 4, 'the log is still that of the game before');
  t.end();
});
