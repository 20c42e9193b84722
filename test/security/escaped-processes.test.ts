/** A child of a game that hides from its end: it empties its environment and leaves session, parent and folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import { readKnownProcesses } from '../../workers/supervisor/process/known-processes.ts';
import { findProcess } from '../../workers/supervisor/process/process-tree.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type RunningSupervisor, runSupervisor } from '../support/processes/running-supervisor.ts';
import { killSupervisor, killTerminal, spawnSupervisor, startGame } from '../support/processes/spawned-supervisor.ts';

if (process.platform !== 'linux') t.bailout('Only Linux tells which processes belong together.');

const game = (script: string) => ({
  software: 'custom' as const,
  launch: { command: ['sh', '-c', script] },
  readyPattern: '^up$',
});
/** Starts a process without environment, session and parent, which ignores signals; its pid is printed. `begin`: what it does first. */
const escaped = (prepare: string, begin = '') =>
  `(${prepare} env -i setsid sh -c '${begin} trap "" TERM HUP INT; echo pid $$; exec >/dev/null 2>&1 </dev/null; while :; do sleep 0.1; done' sh --password hunter2 &)`;

const JOBS = path.resolve(process.argv[1] ?? '', '../../../workers/jobs/main.js');

function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function pidIn(lines: () => Promise<string[]>): Promise<number> {
  return until('it runs', async () => Number(/^pid (\d+)$/m.exec((await lines()).join('\n'))?.[1]) || undefined);
}

async function started(server: RunningSupervisor): Promise<number> {
  await server.service.start();
  await server.waitForPhase('running');
  return pidIn(server.lines);
}

t.test('a kill ends it, wherever its folder is', async (t) => {
  const server = await runSupervisor(t, { config: game(`cd /; ${escaped('')}; echo up; read l`) });
  const pid = await started(server);
  await server.service.kill();
  await server.waitForPhase('stopped');
  t.notOk(lives(pid));
  t.notOk(server.service.status().degraded);
});

t.test('a stop ends it', async (t) => {
  const server = await runSupervisor(t, {
    config: game(`${escaped('')}; echo up; read l; exit 0`),
    timings: { stopGraceMs: () => 300 },
  });
  const pid = await started(server);
  await server.service.stop();
  await server.waitForPhase('stopped');
  t.notOk(lives(pid));
});

t.test('the next supervisor ends it after the loss of the former one', async (t) => {
  const home = homeAt(temporaryFolder(t));
  await mkdir(home.instanceDirectory('test'), { recursive: true });
  const config = { ...game(`${escaped('')}; echo up; read l; exit 0`), stopTimeoutSeconds: 1 };
  const first = await spawnSupervisor(t, { home, config });
  await startGame(first);
  const pid = await pidIn(() => first.client.call.logs({ lines: 100 }));
  await killSupervisor(first);
  killTerminal(home);
  const next = await spawnSupervisor(t, { home, config });
  await until('the console says so', async () =>
    (await next.client.call.logs({ lines: 100 })).some((line) => /Ended a server process/.test(line)),
  );
  t.notOk(lives(pid));
});

t.test('one that also removes the mark of its limits is reported by pid and program until it ends', async (t) => {
  const prepare = '{ ulimit -w 3 || ulimit -x 3; } 2>/dev/null;';
  const name = 'printf "sh -p hunter2" >/proc/$$/comm;';
  const server = await runSupervisor(t, { config: game(`${escaped(prepare, name)}; echo up; read l; exit 0`) });
  const pid = await started(server);
  t.teardown(() => lives(pid) && process.kill(pid, 'SIGKILL'));
  await server.service.kill();
  await until('it is reported', () => server.service.status().degraded === 'leftovers');
  const reported = { phase: 'stopping', degraded: 'leftovers', leftovers: [{ pid, command: 'sh' }] };
  t.match(server.service.status(), reported, 'the server is not called stopped');
  t.notMatch(JSON.stringify(server.service.status()), /hunter2/);
  await server.waitForLine(new RegExp(`Still running after the server ended: ${pid} \\(sh\\)`));
  const refusal = { code: 'invalid_state', message: new RegExp(`may still run: ${pid} \\(sh\\)`) };
  await t.rejects(server.service.start(), refusal, 'two could write to the world');
  await t.rejects(server.service.restart(), refusal);
  t.ok(lives(pid), 'it may not belong to the server');
  process.kill(pid, 'SIGKILL');
  await server.waitForPhase('stopped');
  t.equal(server.service.status().degraded, undefined, 'it is not reported any more');
  await server.service.start();
  await server.waitForPhase('running');
});

t.test('another kill ends it', async (t) => {
  const prepare = '{ ulimit -w 3 || ulimit -x 3; } 2>/dev/null;';
  const server = await runSupervisor(t, { config: game(`${escaped(prepare)}; echo up; read l; exit 0`) });
  const pid = await started(server);
  t.teardown(() => lives(pid) && process.kill(pid, 'SIGKILL'));
  await server.service.kill();
  await until('it is reported', () => server.service.status().degraded === 'leftovers');
  await server.service.kill();
  await server.waitForPhase('stopped');
  t.notOk(lives(pid));
});

t.test('one with a terminal of its own is reported', async (t) => {
  const folder = temporaryFolder(t);
  const loop = 'trap "" TERM HUP INT; echo pid $$ >pid; while :; do sleep 0.1; done';
  writeFileSync(path.join(folder, 'loop'), loop);
  writeFileSync(path.join(folder, 'leader'), `cd ${folder}; (sh ./loop &); exec sleep 600`);
  const hidden = `(cd /; { ulimit -w 3 || ulimit -x 3; } 2>/dev/null; env -i setsid script -qfc 'sh ${folder}/leader' /dev/null >/dev/null 2>&1 </dev/null &)`;
  const server = await runSupervisor(t, {
    config: { ...game(`${hidden}; echo up; read l; exit 0`), directory: folder },
  });
  await server.service.start();
  await server.waitForPhase('running');
  const file = path.join(folder, 'pid');
  const pid = await until('it runs', () => existsSync(file) && Number(readFileSync(file, 'utf8').slice('pid '.length)));
  const { session } = findProcess(pid)!;
  t.teardown(() => [pid, session].forEach((one) => void (lives(one) && process.kill(one, 'SIGKILL'))));
  await server.service.kill();
  await until('it is reported', () => server.service.status().leftovers?.some((left) => left.pid === pid));
});

t.test('one that also pretends to be a process of Gamekeeper, or of another game, is reported', async (t) => {
  const limits = '{ ulimit -w 3 || ulimit -x 3; } 2>/dev/null;';
  const pretending = `(${limits} env -i GAME_SERVER_RUN=another setsid sh -c 'trap "" TERM HUP INT; echo pid $$; exec >/dev/null 2>&1 </dev/null; while :; do sleep 0.1; done' ${JOBS} &)`;
  const server = await runSupervisor(t, { config: game(`${pretending}; echo up; read l; exit 0`) });
  const pid = await started(server);
  t.teardown(() => lives(pid) && process.kill(pid, 'SIGKILL'));
  await server.service.kill();
  await until('it is reported', () => server.service.status().degraded === 'leftovers');
  t.match(server.service.status(), { phase: 'stopping', leftovers: [{ pid, command: 'sh' }] });
});

t.test('a supervisor on record, and a game with a mark on record, are not reported', async (t) => {
  const home = homeAt(temporaryFolder(t));
  await mkdir(path.dirname(home.gameRecord('other')), { recursive: true });
  const children = [{}, { GAME_SERVER_RUN: 'of another game' }, {}].map((env) =>
    spawn('sleep', ['600'], { env: { ...process.env, ...env }, stdio: 'ignore' }),
  );
  t.teardown(() => children.forEach((child) => void child.kill('SIGKILL')));
  const found = children.map(({ pid }) => findProcess(pid ?? 0)!);
  const [ours, , unknown] = found;
  writeFileSync(
    home.supervisorRecord('other'),
    JSON.stringify({ pid: ours!.pid, startTime: String(ours!.startTicks) }),
  );
  writeFileSync(home.gameRecord('other'), JSON.stringify({ pid: 0, startTime: '', mark: 'of another game' }));
  writeFileSync(home.gameRecord('reused'), JSON.stringify({ pid: unknown!.pid, startTime: '1' }));
  const isKnown = readKnownProcesses(home);
  t.same(found.map(isKnown), [true, true, false]);
});

t.test('in a scope of its own, the supervisor ends everything else in it', async (t) => {
  const prepare = '{ ulimit -w 3 || ulimit -x 3; } 2>/dev/null;';
  const group = controlGroup(t);
  if (group === undefined) return;
  const home = homeAt(temporaryFolder(t));
  await mkdir(home.instanceDirectory('test'), { recursive: true });
  const config = { ...game(`${escaped(prepare)}; echo up; read l; exit 0`), stopTimeoutSeconds: 1 };
  const supervisor = await spawnSupervisor(t, { home, config });
  writeFileSync(path.join(group, 'cgroup.procs'), String(supervisor.child.pid));
  await startGame(supervisor);
  const { call } = supervisor.client;
  const pid = await pidIn(() => call.logs({ lines: 100 }));
  await call.kill();
  await until('it has stopped', async () => (await call.status()).phase === 'stopped');
  t.notOk(lives(pid));
  t.notOk((await call.status()).degraded);
});

/** Makes a control group with the name of a supervisor's scope. Skips the test where that is not possible. */
function controlGroup(t: Test): string | undefined {
  const mount = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1] ?? '/sys/fs/cgroup';
  const group = path.join(mount, `gamekeeper-server-${randomUUID()}.scope`);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, 'cgroup.procs'), '');
  } catch (error) {
    if (existsSync(group)) return group;
    t.comment(`no control group can be made (${(error as Error).message})`);
    return undefined;
  } finally {
    t.teardown(() => until('the group is empty', () => !existsSync(group) || removed(group)).catch(() => undefined));
  }
  return group;
}

function removed(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}

t.test("the owner's own processes in the folder are neither ended nor reported", async (t) => {
  const server = await runSupervisor(t, { config: game('echo up; read l; exit 0') });
  await mkdir(server.config.directory, { recursive: true });
  const tools: ChildProcess[] = [];
  const tool = () =>
    tools.push(spawn('sleep', ['600'], { cwd: server.config.directory, detached: true, stdio: 'ignore' }));
  t.teardown(() => tools.forEach((child) => void child.kill('SIGKILL')));
  tool();
  await server.service.start();
  await server.waitForPhase('running');
  tool();
  await server.service.kill();
  await server.waitForPhase('stopped');
  t.ok(tools.every(({ pid }) => lives(pid ?? 0)));
  t.notOk(server.service.status().degraded);
});
