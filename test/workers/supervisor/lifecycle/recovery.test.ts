import t from 'tap';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

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
