import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Home, homeAt } from '../../../../shared/node/files/home.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
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
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.instanceDirectory('test'), { recursive: true });
  const config = { launch: { command: ['bash', '-c', script] }, readyPattern: 'up$', ...change };
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

t.test('a game that ends while no supervisor has it is noticed by the next one', async (t) => {
  const server = await startServer(t, QUIET);
  const { home, supervisor, config, pid } = server;
  const exited = once(supervisor.child, 'exit');
  const handedOver = await supervisor.client.call.handOver();
  process.kill(pid, 'SIGKILL');
  await exited;
  const next = await spawnSupervisor(t, { home, config, handedOver });
  t.not((await next.client.call.status()).phase, 'running');
});
