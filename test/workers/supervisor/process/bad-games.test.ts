/** Games that misbehave affect only themselves. */
import t from 'tap';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const shell = (script: string) => ({
  software: 'custom' as const,
  launch: { command: ['sh', '-c', script] },
  readyPattern: '^up$',
});

t.test('a game that closes its terminal keeps running and is stopped by a signal', async (t) => {
  const script = 'trap "exit 7" TERM; echo up; exec 0<&- 1>&- 2>&-; while :; do sleep 0.05; done';
  const game = await runSupervisor(t, { config: { ...shell(script), stopTimeoutSeconds: 1 } });
  await game.service.start();
  await game.waitForPhase('running');
  await until('its resource usage is known', () => game.service.status().memoryUsedMb !== undefined);
  game.service.sendLine('into the void');
  game.service.resize({ columns: 100, rows: 30 });
  t.equal(await game.service.command('hello'), '', 'an empty answer');
  t.equal(game.service.status().phase, 'running');
  await game.service.stop();
  await game.waitForPhase('stopped');
  await game.waitForLine(/Still running after 1 s: sending SIGTERM/);
  await game.waitForLine(/has stopped \(exit code 7\)/);
  await game.service.start();
  await game.waitForPhase('running');
});

t.test('the end of a game that closed its terminal is noticed at once', async (t) => {
  const game = await runSupervisor(t, { config: shell('echo up; exec 0<&- 1>&- 2>&-; sleep 0.2; exit 3') });
  await game.service.start();
  await game.waitForPhase('crashed');
  t.match(game.service.status().crash, { exitCode: 3 });
});

t.test('a game that floods its console during a stop is stopped in time, and its last lines are kept', async (t) => {
  const script = 'echo up; read line; seq 300000; echo saved';
  const game = await runSupervisor(t, { config: { ...shell(script), stopTimeoutSeconds: 30 } });
  await game.service.start();
  await game.waitForPhase('running');
  await game.service.stop();
  await game.waitForPhase('stopped');
  const lines = await game.service.logs({ lines: 1_000 });
  const saved = lines.lastIndexOf('saved');
  t.same(lines.slice(saved - 2, saved + 1), ['299999', '300000', 'saved']);
  t.notMatch(lines.join('\n'), /SIGTERM/);
});

t.test('a game that floods its console and ignores signals is killed', async (t) => {
  const script = 'trap "" TERM INT HUP; echo up; yes flood';
  const game = await runSupervisor(t, {
    config: { ...shell(script), stopTimeoutSeconds: 1 },
    timings: { stopGraceMs: () => 300 },
  });
  await game.service.start();
  await game.waitForPhase('running');
  await game.service.stop();
  await game.waitForPhase('stopped');
  t.match((await game.lines()).join('\n'), /SIGKILL/);
});
