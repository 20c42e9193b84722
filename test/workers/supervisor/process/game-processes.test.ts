/** The children of a game must end before the game counts as ended, since they would block the world and the ports of the next run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { killGame } from '../../../../workers/supervisor/process/game-processes.ts';
import { until } from '../../../support/machine/until.ts';
import { type RunningSupervisor, runSupervisor } from '../../../support/processes/running-supervisor.ts';

if (process.platform !== 'linux') t.bailout('Only Linux tells which processes belong together.');

const game = (script: string) => ({
  software: 'custom' as const,
  launch: { command: ['sh', '-c', script] },
  readyPattern: '^up$',
});
/** A script that writes its pid, and writes a file on SIGTERM. */
const child = (name: string, trapped: string, wait = 'while :; do sleep 0.05; done') =>
  `sh -c 'trap "${trapped}" TERM; trap "" HUP INT; echo $$ > ${name}; ${wait}'`;

/** Returns the pid of a child once it runs. */
async function pidOf({ config }: RunningSupervisor, name: string): Promise<number> {
  const file = path.join(config.directory, name);
  return until(`${name} runs`, () => (existsSync(file) && Number(readFileSync(file, 'utf8'))) || undefined);
}

function lives(pid: number): boolean {
  try {
    // A zombie does not count.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

t.test('a stop waits for children that save, and kills those that do not end', async (t) => {
  const saves = child('saves', 'sleep 0.3; echo yes > saved; exit');
  const server = await runSupervisor(t, {
    config: game(
      `setsid ${saves} & ${child('stays', '')} & setsid ${child('ignores', '')} & echo up; read line; exit 0`,
    ),
    timings: { stopGraceMs: () => 1_500 },
  });
  await server.service.start();
  await server.waitForPhase('running');
  const pids = await Promise.all(['saves', 'stays', 'ignores'].map((name) => pidOf(server, name)));
  await server.service.stop();
  t.equal(server.service.status().phase, 'stopping');
  await server.waitForPhase('stopped');
  t.same(pids.filter(lives), []);
  t.ok(existsSync(path.join(server.config.directory, 'saved')), 'the child had time to save after SIGTERM');
});

t.test('the restart after a crash waits until no process of the last run is left', async (t) => {
  const server = await runSupervisor(t, {
    config: {
      ...game(`grep -s '^State:' /proc/$(cat stays)/status; ${child('stays', '')} & echo up; read line; exit 3`),
      crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 },
    },
    timings: { stopGraceMs: () => 300 },
  });
  await server.service.start();
  await server.waitForPhase('running');
  const first = await pidOf(server, 'stays');
  const before = server.phases.length;
  server.service.sendLine('end');
  await until('it runs again', () => server.phases.slice(before).includes('running'));
  t.notOk(lives(first));
  t.notMatch((await server.lines()).join('\n'), /^State:\s+[^Z]/m, 'the next run did not find it');
});

t.test('a child that keeps the terminal open does not delay the end of the server', async (t) => {
  const server = await runSupervisor(t, {
    config: {
      ...game(`${child('stays', '')} & echo up; exec sh -c "read line; echo last words"`),
      stopTimeoutSeconds: 5,
    },
    timings: { stopGraceMs: () => 300 },
  });
  await server.service.start();
  await server.waitForPhase('running');
  const pid = await pidOf(server, 'stays');
  await server.service.stop();
  await server.waitForPhase('stopped');
  t.notOk(lives(pid));
  t.match((await server.lines()).join('\n'), /last words/);
  rmSync(path.join(server.config.directory, 'stays'));
  await server.service.start();
  await pidOf(server, 'stays');
});

t.test('a kill ends a game that was just forked, and leads no session yet', async (t) => {
  const forked = spawn('sleep', ['60'], { stdio: 'ignore' });
  const exited = once(forked, 'exit');
  t.teardown(() => forked.kill('SIGKILL'));
  killGame({ leader: forked.pid ?? 0, mark: 'none' }, { leaderEnded: false });
  t.same(await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 5_000, 'lives'))]), [
    null,
    'SIGKILL',
  ]);
});
