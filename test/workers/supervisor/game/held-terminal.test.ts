import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Home, homeAt } from '../../../../shared/node/files/home.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import type { RecordedGame } from '../../../../workers/supervisor/game/game-record.ts';
import { childrenOf, findProcess } from '../../../../workers/supervisor/process/process-tree.ts';
import { canTake, isHeld } from '../../../../workers/supervisor/process/terminal-holder.ts';
import { readConsole } from '../../../chaos/checks/console-on-disk.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import {
  killSupervisor,
  killTerminal,
  type SpawnedSupervisor,
  spawnSupervisor,
  startGame,
} from '../../../support/processes/spawned-supervisor.ts';

const LINES = 5_000;
const FLOOD_LINES = 300_000;

/**
 * A game that ends with its terminal. It does what it is told, by typing or by a file `do`. It pauses at a pipe that stays empty, since a `read` of
 * the terminal that runs out of time may lose a part of a line.
 */
const GAME = `
exec 9<> <(:)
echo "[12:00:00 INFO]: up"
n=0
print() { for _ in $(seq $1); do n=$((n+1)); echo "[12:00:00 INFO]: number $n"; done; }
while :; do
  [ -e do ] && { mv do done; . ./done; }
  read -t 0.02 -u 9
  read -t 0 && read line && case $line in
    stop) echo "[12:00:00 INFO]: saved"; exit 0 ;;
    *) eval "$line" ;;
  esac
done`;

interface Server {
  home: Home;
  config: Partial<InstanceConfig>;
  supervisor: SpawnedSupervisor;
  pid: number;
}

async function startServer(t: Test, change: Partial<InstanceConfig> = {}): Promise<Server> {
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.instanceDirectory('test'), { recursive: true });
  const config = { launch: { command: ['bash', '-c', GAME] }, readyPattern: 'up$', ...change };
  const supervisor = await spawnSupervisor(t, { home, config });
  return { home, config, supervisor, pid: await startGame(supervisor) };
}

const linesOf = ({ client }: SpawnedSupervisor) => client.call.logs({ lines: 10_000 });

async function shows(supervisor: SpawnedSupervisor, pattern: RegExp): Promise<void> {
  await until(`the console shows ${pattern}`, async () =>
    (await linesOf(supervisor)).some((line) => pattern.test(line)),
  );
}

const numbersIn = (lines: readonly string[]) =>
  lines.flatMap((line) => /INFO\]: number (\d+)$/.exec(line)?.[1] ?? []).map(Number);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Tells the game something while it has no supervisor. */
function tell({ home }: Server, what: string): void {
  writeFileSync(path.join(home.instanceDirectory('test'), 'do'), what);
}

const holderOf = (home: Home) =>
  (JSON.parse(readFileSync(home.gameRecord('test'), 'utf8')) as RecordedGame).terminal?.holder;

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

t.test('a supervisor gives way to its game, where Linux compares sessions', async (t) => {
  const groupOf = (pid: number | undefined) => readFileSync(`/proc/${pid}/autogroup`, 'utf8');
  if (!existsSync('/proc/self/autogroup')) return;
  const { supervisor, pid } = await startServer(t);
  t.match(groupOf(supervisor.child.pid), /nice 5$/m);
  t.match(groupOf(pid), /nice 0$/m);
});

t.test('a game notices nothing when its supervisor is killed, whatever it is written in', async (t) => {
  const server = await startServer(t);
  const { supervisor: first, home, config, pid } = server;
  await first.client.call.sendLine('print 100');
  await shows(first, /number 100$/);
  await killSupervisor(first);
  // More than terminal and pipe hold: the game has to wait, too.
  tell(server, `print ${LINES - 100}`);
  const next = await spawnSupervisor(t, { home, config });
  const { call } = next.client;
  await shows(next, new RegExp(`number ${LINES}$`));
  t.strictSame(numbersIn(await linesOf(next)), upTo(LINES), 'not one line is lost or doubled');
  const status = await call.status();
  t.match(status, { phase: 'running', pid });
  t.notOk('degraded' in status);
  t.equal((await linesOf(next)).filter((line) => /^\[gamekeeper\] .*was lost.*keeps running/.test(line)).length, 1);

  t.match(await call.command('echo "[12:00:00 INFO]: typed"'), /typed/);
  await call.resize({ columns: 91, rows: 17 });
  await until('the terminal has the new size', async () => /17 91/.test(await call.command('stty size')));
  await call.stop();
  await until('the server is stopped', async () => (await call.status()).phase === 'stopped');
  await shows(next, /saved$/);
  await call.start();
  await until('it runs again', async () => (await call.status()).phase === 'running');
});

t.test('after many supervisors in a row, the game is still the same', async (t) => {
  const { home, config, supervisor, pid } = await startServer(t);
  let current = supervisor;
  for (let round = 1; round <= 4; round++) {
    await current.client.call.sendLine('print 10');
    await shows(current, new RegExp(`number ${round * 10}$`));
    await killSupervisor(current);
    current = await spawnSupervisor(t, { home, config });
  }
  await until('it is recovered', async () => (await current.client.call.status()).pid === pid);
  t.strictSame(numbersIn(await linesOf(current)), upTo(40));
});

t.test('a supervisor that is killed in a flood loses nothing, however often', async (t) => {
  const { home, config, supervisor } = await startServer(t);
  await supervisor.client.call.sendLine(`print ${FLOOD_LINES}`);
  let current = supervisor;
  for (let round = 1; round <= 8; round++) {
    const { texts } = readConsole(home.root, 'test');
    await until('it reads the flood', () => readConsole(home.root, 'test').texts.length > texts.length + 100);
    await sleep(round * 7); // another moment each time
    await killSupervisor(current);
    current = await spawnSupervisor(t, { home, config });
  }
  await shows(current, new RegExp(`number ${FLOOD_LINES}$`));
  const { texts, faults } = readConsole(home.root, 'test');
  t.strictSame(faults, []);
  t.strictSame(numbersIn(texts), upTo(FLOOD_LINES), 'not one line is lost or doubled');
  t.ok(statSync(`/proc/${holderOf(home)}/fd/5`).size < 3 * 1024 * 1024, 'what is logged is not kept in memory');
});

t.test('a line that is being read when its supervisor is killed comes out whole', async (t) => {
  const server = await startServer(t);
  const { call } = server.supervisor.client;
  const bytesRead = async () => (await call.stats()).console.bytes;
  const before = await bytesRead();
  const beginning = '[12:00:00 INFO]: number ';
  tell(server, `printf "${beginning}"`);
  await until('the beginning is read', async () => (await bytesRead()) === before + beginning.length);
  await killSupervisor(server.supervisor);
  tell(server, 'echo 1; print 1; n=1; print 1');
  const next = await spawnSupervisor(t, server);
  await shows(next, /number 2$/);
  t.strictSame(numbersIn(await linesOf(next)), [1, 1, 2]);
});

t.test('lines that reached the log are not logged again', async (t) => {
  const server = await startServer(t);
  await server.supervisor.client.call.sendLine('print 10');
  await shows(server.supervisor, /number 10$/);
  await killSupervisor(server.supervisor);
  // As if it had been killed between writing the last four lines and noting that. A fifth has begun.
  const newest = readConsole(server.home.root, 'test').texts.length - 4;
  const descriptors = `/proc/${holderOf(server.home)}/fd`;
  appendFileSync(`${descriptors}/5`, '[12:00:00 INFO]: number 1');
  const offset = readFileSync(`${descriptors}/5`, 'latin1').indexOf('[12:00:00 INFO]: number 7');
  writeFileSync(`${descriptors}/6`, Buffer.from(Float64Array.of(newest, offset, Number.NaN, 0).buffer));
  tell(server, 'echo 1; print 1');
  const next = await spawnSupervisor(t, server);
  await shows(next, /number 11$/);
  // The 11th is the one that had begun, the 12th the one that the game counts as 11.
  t.strictSame(numbersIn(await linesOf(next)), [...upTo(11), 11]);
});

t.test('a line longer than lines may be is cut, not torn, and a secret at its end is hidden', async (t) => {
  const server = await startServer(t);
  const { call } = server.supervisor.client;
  const before = (await call.stats()).console.bytes;
  tell(server, `printf "number 1%090000d password=" 0`);
  await until('it is read', async () => (await call.stats()).console.bytes > before + 90_000);
  await call.notice('Something else happens.');
  await killSupervisor(server.supervisor);
  tell(server, 'echo hunter2hunter2; print 1');
  const next = await spawnSupervisor(t, server);
  await shows(next, /INFO\]: number 1$/);
  const { texts } = readConsole(server.home.root, 'test');
  t.notMatch(texts.join('\n'), /hunter2/);
  t.equal(texts.filter((line) => line.startsWith('number 10000')).length, 1);
});

t.test('the last line of a game is shown although it has no end, and nothing is said about its terminal', async (t) => {
  const { supervisor } = await startServer(t);
  await supervisor.client.call.sendLine('printf "my last words"; exit 0');
  await until('it has ended', async () => (await supervisor.client.call.status()).phase !== 'running');
  await shows(supervisor, /my last words$/);
  t.notMatch((await linesOf(supervisor)).join('\n'), /terminal/);
});

t.test('the last words of a game that ends without a supervisor are shown', async (t) => {
  const server = await startServer(t);
  const { supervisor: first, home, config, pid } = server;
  const holder = holderOf(home)!;
  await killSupervisor(first);
  tell(server, 'print 3; echo "I am out of here"; exit 3');
  await until('the game has ended', () => !lives(pid));
  t.ok(lives(holder), 'its output is kept');
  const next = await spawnSupervisor(t, { home, config });
  await shows(next, /^I am out of here/);
  t.strictSame(numbersIn(await linesOf(next)), upTo(3));
  await until('nothing holds the terminal any more', () => !lives(holder));
});

t.test('a game whose supervisor was killed before it was ready becomes ready', async (t) => {
  const { home, config, supervisor } = await startServer(t);
  await killSupervisor(supervisor);
  const file = home.gameRecord('test');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"ready":true', '"ready":false'));
  const next = await spawnSupervisor(t, { home, config });
  await until('it is ready', async () => (await next.client.call.status()).phase === 'running');
});

t.test('a recovered game that is killed has crashed', async (t) => {
  const { home, config, supervisor, pid } = await startServer(t);
  await killSupervisor(supervisor);
  const { client } = await spawnSupervisor(t, { home, config });
  await until('it is recovered', async () => (await client.call.status()).pid === pid);
  process.kill(pid, 'SIGKILL');
  await until('the crash is noticed', async () => (await client.call.status()).phase === 'crashed');
  t.match((await client.call.status()).crash, { exitCode: null, signal: null, failedStart: undefined });
});

t.test('a recovered game that ends at its own stop command has not crashed', async (t) => {
  const { home, config, supervisor, pid } = await startServer(t);
  await killSupervisor(supervisor);
  const { client } = await spawnSupervisor(t, { home, config });
  await until('it is recovered', async () => (await client.call.status()).pid === pid);
  await client.call.sendLine('stop');
  await until('it has ended', async () => (await client.call.status()).phase !== 'running');
  t.match(await client.call.status(), { phase: 'stopped', crash: undefined });
});

t.test('a process that prints forever does not hide the end of its game', async (t) => {
  const script = 'echo up; (while :; do echo x; sleep 0.002; done) & read line; exit 3';
  const { supervisor } = await startServer(t, { launch: { command: ['bash', '-c', script] } });
  await supervisor.client.call.sendLine('end');
  await until('the crash is noticed', async () => (await supervisor.client.call.status()).phase === 'crashed');
  t.match((await supervisor.client.call.status()).crash, { exitCode: 3 });
});

t.test('the loss of the terminal is shown', async (t) => {
  const script = 'trap "" HUP; echo up; exec sleep 1000';
  const { home, supervisor } = await startServer(t, { launch: { command: ['bash', '-c', script] } });
  killTerminal(home);
  await shows(supervisor, /^\[gamekeeper\] .*terminal of this server was killed/);
  await until('it is shown', async () => (await supervisor.client.call.status()).degraded === 'taken-over');
});

t.test('the loss of the program that reads the terminal is shown, too', async (t) => {
  const script = 'trap "" HUP; echo up; exec sleep 1000';
  const { home, supervisor } = await startServer(t, { launch: { command: ['bash', '-c', script] } });
  const reader = childrenOf(holderOf(home)!).find((pid) => findProcess(pid)?.command === 'tee')!;
  process.kill(reader, 'SIGKILL');
  await shows(supervisor, /^\[gamekeeper\] .*terminal of this server was killed/);
});

t.test('the password of RCON is hidden in the last words of a game without a supervisor', async (t) => {
  const server = await startServer(t, { software: 'custom' });
  const { supervisor, home, config, pid } = server;
  await killSupervisor(supervisor);
  writeFileSync(path.join(home.instanceDirectory('test'), 'server.properties'), 'rcon.password=Zq8rTn4LwX2v\n');
  tell(server, 'echo "the word is Zq8rTn4LwX2v"; exit 3');
  await until('the game has ended', () => !lives(pid));
  const next = await spawnSupervisor(t, { home, config });
  await shows(next, /the word is \[.*\]/);
  t.notMatch((await linesOf(next)).join('\n'), /Zq8rTn4LwX2v/);
});

t.test('nothing is left of a terminal if only its shell was killed', async (t) => {
  const { home, supervisor } = await startServer(t);
  const holder = holderOf(home)!;
  const programs = childrenOf(holder);
  t.equal(programs.length, 2);
  process.kill(holder, 'SIGKILL');
  await supervisor.client.call.sendLine('stop');
  await until('it has ended', async () => (await supervisor.client.call.status()).phase === 'stopped');
  await until('both programs have ended', () => !programs.some(lives));
});

t.test(
  'a terminal that its supervisor could not put on record is ended with the game, and nobody waits for it',
  async (t) => {
    const { home, config, supervisor, pid } = await startServer(t);
    const holder = holderOf(home)!;
    const file = home.gameRecord('test');
    const { mark } = JSON.parse(readFileSync(file, 'utf8')) as RecordedGame;
    await killSupervisor(supervisor);
    writeFileSync(file, JSON.stringify({ mark, pid: 0, startTime: '' }));
    const next = await spawnSupervisor(t, { home, config });
    await until('both have ended', () => !lives(pid) && !lives(holder));
    t.notMatch((await linesOf(next)).join('\n'), /Waiting for process|SIGKILL/);
  },
);

t.test('a terminal that another user holds cannot be taken, nor one that nothing holds', async (t) => {
  const other = spawn('sleep', ['100']);
  t.teardown(() => other.kill());
  const holder = other.pid!;
  const { startTicks: holderTicks } = findProcess(holder)!;
  const recorded = { holder, holderTicks, mark: 'of-this-test', device: '/dev/pts/0' };
  t.ok(isHeld(recorded), 'the process lives, but has no such descriptors');
  t.notOk(canTake(recorded));
  t.notOk(canTake({ ...recorded, holderTicks: holderTicks + 1 }));
});

t.test('nothing of a terminal is left once its game has ended', async (t) => {
  const { home, supervisor, pid } = await startServer(t);
  const holder = holderOf(home)!;
  t.ok(lives(holder));
  await supervisor.client.call.sendLine('stop');
  await until('it has ended', async () => (await supervisor.client.call.status()).phase === 'stopped');
  t.notOk(lives(pid));
  t.notOk(lives(holder));
});
