import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { readIntent } from '../../../../shared/node/processes/intent-record.ts';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { tryToJoin } from '../../../support/machine/game-client.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';
import {
  killSupervisor,
  killTerminal,
  spawnSupervisor,
  startGame,
  supervisorBoot,
} from '../../../support/processes/spawned-supervisor.ts';

const LOST = {
  crash: {
    at: '2026-11-20T08:00:00.000Z',
    exitCode: null,
    signal: null,
    reason: 'The process that supervises the server ended unexpectedly.',
    restarts: 0,
  },
  config: { software: 'custom', launch: { command: ['sh', '-c', 'echo up; read line'] }, readyPattern: 'up' },
} as const;
const server = (restartInMs: number, change: object = {}) => ({
  ...LOST,
  restartInMs,
  config: { ...LOST.config, launch: { command: [...LOST.config.launch.command] }, ...change },
});

t.test('the next supervisor restarts a server whose supervisor was lost', async (t) => {
  const { service, phases, waitForPhase } = await runSupervisor(t, server(0));
  await waitForPhase('running');
  t.equal(phases[0], 'crashed');
  t.match(service.status().crash, LOST.crash);
  t.match(await service.crashes(), [{ reason: LOST.crash.reason }]);
});

t.test('a stop cancels the pending restart', async (t) => {
  const { service, supervisor, waitForLine } = await runSupervisor(t, server(600_000));
  t.match(service.status(), { phase: 'crashed', javaProgram: null, crash: LOST.crash });
  t.ok(supervisor.isNeeded());
  await service.stop();
  t.match(service.status(), { phase: 'stopped', javaProgram: undefined });
  await waitForLine(/The start was cancelled/);
  t.notOk(supervisor.isNeeded());
});

t.test('a start does not wait for the pending restart', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, server(600_000));
  await service.start();
  await waitForPhase('running');
});

t.test('a failed restart is tried again by the crash policy', async (t) => {
  let asked = 0;
  const { waitForPhase } = await runSupervisor(t, {
    ...server(0, { crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 } }),
    upstream: {
      async leasePorts() {
        if (asked++ === 0) throw new Error('not yet');
        return null;
      },
    },
  });
  await waitForPhase('running');
  t.ok(asked > 1);
});

t.test('a restart that the lost supervisor had begun is completed, whatever the crash policy', async (t) => {
  const options = server(600_000, { crashPolicy: { restart: 'never', maxRestarts: 3, windowSeconds: 600 } });
  const { phases, waitForPhase } = await runSupervisor(t, { ...options, intent: 'restarting' });
  await waitForPhase('running');
  t.notOk(phases.includes('crashed'));
});

t.test('a server that slept sleeps again, and joining wakes it', async (t) => {
  const config = { software: 'demo', sleepWhenEmptyMinutes: 60 } as const;
  const { config: used, phases, waitForPhase } = await runSupervisor(t, { config, intent: 'asleep' });
  await waitForPhase('sleeping');
  t.equal(phases[0], 'sleeping', 'it is never shown as stopped');
  await until('a player may join', async () => /is starting/.test(await tryToJoin(used.port, 'Eve').catch(() => '')));
  await waitForPhase('running');
});

t.test('a server that was stopped stays stopped, even if a restart is due', async (t) => {
  const { supervisor, phases, service } = await runSupervisor(t, { ...server(0), intent: 'stopped' });
  await supervisor.rest();
  t.same([...new Set(phases)], ['stopped']);
  await t.rejects(service.stop(), { code: 'invalid_state' });
});

t.test('what the server should do is on record before a request is answered', async (t) => {
  const { service, supervisor, home, waitForPhase } = await runSupervisor(t, { config: server(0).config });
  const recorded = () => readIntent(home.intentRecord('test'));
  await service.start();
  t.equal(await recorded(), 'running');
  await waitForPhase('running');
  await service.restart();
  t.equal(await recorded(), 'restarting');
  await waitForPhase('running');
  t.equal(await recorded(), 'running');
  await service.stop();
  t.equal(await recorded(), 'stopped');
  await waitForPhase('stopped');
  t.equal(await recorded(), 'stopped');
  await supervisor.rest();
  t.equal(await recorded(), undefined, 'whoever ends the supervisor decides what follows');
});

t.test('a stop does not depend on its record', async (t) => {
  const { service, home, logged, waitForPhase } = await runSupervisor(t, { config: server(0).config });
  await service.start();
  await waitForPhase('running');
  const file = home.intentRecord('test');
  await rm(file);
  await mkdir(file);
  await service.stop();
  await waitForPhase('stopped');
  t.ok(logged.some((message) => /could not be recorded/.test(message)));
});

t.test('starting is refused until the leftovers of a killed supervisor could be inspected', async (t) => {
  const first = await spawnSupervisor(t);
  const { home } = first;
  const old = await startGame(first);
  await killSupervisor(first);
  killTerminal(home);
  const file = home.gameRecord('test');
  const record = await readFile(file);
  await rm(file);
  // ELOOP stands for any error, such as EMFILE.
  await symlink(path.basename(file), file);
  const { config } = await supervisorBoot(home);
  const { service, logged, waitForPhase } = await runSupervisor(t, { home, config });
  await until('an inspection failed', () => logged.some((message) => /could not be inspected/.test(message)));
  await t.rejects(service.start(), { code: 'ELOOP' });
  t.ok(await identifyProcess(old), 'the orphaned game still runs');
  await writeFile(`${file}.whole`, record);
  await rename(`${file}.whole`, file);
  await until('the orphaned game is ended', async () => (await identifyProcess(old)) === undefined);
  await service.start();
  await waitForPhase('running');
});
