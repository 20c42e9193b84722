import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Home, homeAt } from '../../../../shared/node/files/home.ts';
import { readIntent } from '../../../../shared/node/processes/intent-record.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { tryToJoin } from '../../../support/machine/game-client.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { type SpawnedSupervisor, spawnSupervisor, startGame } from '../../../support/processes/spawned-supervisor.ts';

/**
 * Prints numbered lines in two writes each, so that a read often ends in the middle of one, and does what is typed. It pauses at a pipe that
 * stays empty, since a `read` of the terminal that runs out of time may lose a part of a line.
 */
const COUNTING = `
exec 9<> <(:)
stty -echo # which would come in the middle of a line
echo "[12:00:00 INFO]: up"
n=0
while :; do
  n=$((n+1))
  printf "[12:00:00 INFO]: num"
  printf "ber $n\\n"
  read -t 0.002 -u 9
  read -t 0 && read line && case $line in
    stop) echo "[12:00:00 INFO]: saved"; exit 0 ;;
    *) echo "[12:00:00 INFO]: got $line" ;;
  esac
done`;

/** Prints only what is typed. */
const QUIET = `
stty -echo
echo "[12:00:00 INFO]: up"
while read line; do eval "$line"; done`;

interface Server {
  home: Home;
  config: Partial<InstanceConfig>;
  supervisor: SpawnedSupervisor;
  pid: number;
}

async function startServer(t: Test, script: string, change: Partial<InstanceConfig> = {}): Promise<Server> {
  const config = { launch: { command: ['bash', '-c', script] }, readyPattern: 'up$', ...change };
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.instanceDirectory('test'), { recursive: true });
  const supervisor = await spawnSupervisor(t, { home, config });
  return { home, config, supervisor, pid: await startGame(supervisor) };
}

/** Replaces the supervisor, as the daemon does. */
async function replace(t: Test, server: Server, change: Partial<InstanceConfig> = {}): Promise<void> {
  const { home, supervisor } = server;
  const exited = once(supervisor.child, 'exit');
  const handedOver = await supervisor.client.call.handOver();
  await exited;
  server.config = { ...server.config, ...change };
  server.supervisor = await spawnSupervisor(t, { home, config: server.config, handedOver });
}

const linesOf = ({ supervisor: { client } }: Server) => client.call.logs({ lines: 100_000 });
const numbersIn = (lines: readonly string[]) =>
  lines.flatMap((line) => /INFO\]: number (\d+)$/.exec(line)?.[1] ?? []).map(Number);

async function shows(server: Server, pattern: RegExp): Promise<void> {
  await until(`the console shows ${pattern}`, async () => (await linesOf(server)).some((line) => pattern.test(line)), {
    describe: () => linesOf(server),
  });
}

t.test('through five hand-overs no line is lost, doubled or cut, and the game is always under control', async (t) => {
  const server = await startServer(t, COUNTING);
  for (let round = 1; round <= 5; round++) {
    await sleep(50 * round); // so that it has printed something
    await replace(t, server);
    t.match(
      await server.supervisor.client.call.status(),
      { phase: 'running', pid: server.pid },
      'from the first answer on',
    );
    await server.supervisor.client.call.sendLine(`round ${round}`);
    await shows(server, new RegExp(`got round ${round}$`));
  }
  const lines = await linesOf(server);
  const numbers = numbersIn(lines);
  t.ok(numbers.length > 100, `${numbers.length} lines`);
  t.strictSame(
    numbers,
    numbers.map((_, index) => index + 1),
  );
  t.equal(lines.filter((line) => /got round/.test(line)).length, 5);
  t.same(
    lines.filter((line) => /gamekeeper\]/.test(line) && /supervis/.test(line)),
    [],
    'nobody is told of it',
  );
  await server.supervisor.client.call.stop();
  await until('it has stopped', async () => (await server.supervisor.client.call.status()).phase === 'stopped');
  await shows(server, /saved$/);
});

t.test('a line that is being printed is completed by the next supervisor', async (t) => {
  const server = await startServer(t, QUIET);
  await server.supervisor.client.call.sendLine('printf "the first half"; read more; echo " and the second"');
  await sleep(300); // the console has the first half, but not as a line
  await replace(t, server);
  await server.supervisor.client.call.sendLine('go on');
  await shows(server, /^the first half and the second$/);
  t.equal((await linesOf(server)).filter((line) => /the first half/.test(line)).length, 1);
});

t.test('who is online, and what is hidden, is known to the next supervisor', async (t) => {
  const former = { rcon: { port: 1, password: 'the former password' } };
  const server = await startServer(t, QUIET, former);
  const { call } = server.supervisor.client;
  await call.sendLine('echo "[12:00:00 INFO]: Eve joined the game"');
  await until('she is online', async () => (await call.status()).players?.includes('Eve'));
  await replace(t, server, { rcon: { port: 1, password: 'another password' } });
  const next = server.supervisor.client.call;
  t.same((await next.status()).players, ['Eve']);
  await next.sendLine('echo "it was: the former password"');
  await shows(server, /^it was: (?!the former)/);
  t.notMatch((await linesOf(server)).join('\n'), /the former password/);
  await next.sendLine('echo "Bob joined the game"');
  await next.sendLine('echo "[12:00:00 INFO]: Eve left the game"');
  await until('she has left', async () => (await next.status()).players === undefined);
});

t.test('a supervisor refuses to leave while it is needed, and continues', async (t) => {
  const server = await startServer(t, QUIET);
  const { call } = server.supervisor.client;
  const lease = await call.hold('backing-up');
  await t.rejects(call.handOver(), { code: 'backup_in_progress' });
  await call.release(lease.leaseId);
  const asked = call.command('sleep 0.5; echo answered');
  await sleep(50);
  await t.rejects(call.handOver(), { code: 'already_in_progress' });
  t.match(await asked, /answered/);
  const restarted = call.restart();
  await t.rejects(call.handOver(), { code: 'already_in_progress' });
  await restarted;
  await until('it runs again', async () => (await call.status()).phase === 'running');
  t.match(await call.command('echo here'), /here/);
});

t.test('a stopped server has nothing to hand over', async (t) => {
  const { supervisor } = await startServer(t, QUIET);
  const { call } = supervisor.client;
  await call.kill();
  await until('it has stopped', async () => (await call.status()).phase === 'stopped');
  await t.rejects(call.handOver(), { code: 'already_in_progress' });
});

t.test('a game that ends while no supervisor has it has crashed, and is restarted by the crash policy', async (t) => {
  for (const restart of ['on-failure', 'never'] as const) {
    const crashPolicy = { restart, maxRestarts: 3, windowSeconds: 600 };
    const { home, supervisor, config, pid } = await startServer(t, QUIET, { crashPolicy });
    const exited = once(supervisor.child, 'exit');
    const handedOver = await supervisor.client.call.handOver();
    process.kill(pid, 'SIGKILL');
    await exited;
    const { call } = (await spawnSupervisor(t, { home, config, handedOver })).client;
    t.match(await call.status(), { phase: 'crashed', crash: { exitCode: null, restarts: 0 } });
    if (restart === 'never') continue;
    await until('it runs again', async () => (await call.status()).phase === 'running');
  }
});

t.test('a game that ends, as it was told, while no supervisor has it has stopped', async (t) => {
  const { home, supervisor, config, pid } = await startServer(t, 'echo up; while read line; do :; done');
  await supervisor.client.call.sendLine('stop');
  const exited = once(supervisor.child, 'exit');
  const handedOver = await supervisor.client.call.handOver();
  process.kill(pid, 'SIGKILL');
  await exited;
  const { call } = (await spawnSupervisor(t, { home, config, handedOver })).client;
  t.match(await call.status(), { phase: 'stopped', crash: undefined });
});

t.test('a player who joins in the middle of a line is known, and the next one as well', async (t) => {
  const server = await startServer(t, QUIET);
  await server.supervisor.client.call.sendLine('printf "[12:00:00 INFO]: Eve joi"; read rest; echo "ned the game"');
  await sleep(300); // the console has the first half, but not as a line
  await replace(t, server);
  await server.supervisor.client.call.sendLine('go on');
  await server.supervisor.client.call.sendLine('echo "[12:00:00 INFO]: Bob joined the game"');
  const { call } = server.supervisor.client;
  await until('both are online', async () => (await call.status()).players?.join() === 'Eve,Bob', {
    describe: () => linesOf(server),
  });
});

t.test('a stop command that was typed before the hand-over explains the end after it', async (t) => {
  const saving = 'until [ -e saved ]; do sleep 0.05; done; exit 0';
  const server = await startServer(t, `echo up; while read line; do [ "$line" = stop ] && { ${saving}; }; done`);
  await server.supervisor.client.call.sendLine('stop');
  await replace(t, server);
  const { call } = server.supervisor.client;
  t.equal((await call.status()).phase, 'running', 'it is still saving');
  writeFileSync(path.join(server.home.instanceDirectory('test'), 'saved'), '');
  await until('it has ended', async () => (await call.status()).phase !== 'running');
  t.match(await call.status(), { phase: 'stopped', crash: undefined });
});

t.test('a sleeping server sleeps on, and who joins meanwhile starts nothing in the former supervisor', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const config = { software: 'demo', sleepWhenEmptyMinutes: 60, port: await freePort() };
  const supervisor = await spawnSupervisor(t, { home, config, intent: 'asleep' });
  await until('it sleeps', async () => (await supervisor.client.call.status()).phase === 'sleeping');
  const exited = once(supervisor.child, 'exit');
  const handedOver = await supervisor.client.call.handOver();
  await tryToJoin(config.port, 'Eve').catch(() => undefined); // refused or cut off, whatever comes first
  await exited;
  t.equal(await readIntent(home.intentRecord('test')), 'asleep');
  const next = await spawnSupervisor(t, { home, config, intent: 'asleep', handedOver });
  t.equal((await next.client.call.status()).phase, 'sleeping');
});

t.test('the unfinished line of a game that ends without a supervisor is shown', async (t) => {
  const { home, config, supervisor, pid } = await startServer(t, QUIET);
  await supervisor.client.call.sendLine('printf "the last words"; read rest');
  await sleep(300); // the console has them, but not as a line
  const exited = once(supervisor.child, 'exit');
  const handedOver = await supervisor.client.call.handOver();
  process.kill(pid, 'SIGKILL');
  await exited;
  const next = await spawnSupervisor(t, { home, config, handedOver });
  await until('they are shown', async () => (await next.client.call.logs({ lines: 100 })).includes('the last words'));
});
