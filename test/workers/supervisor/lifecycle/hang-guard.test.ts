import t, { type Test } from 'tap';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const ONCE_MORE = { restart: 'on-failure', maxRestarts: 1, windowSeconds: 600 } as const;

/** A demo server that has answered a ping, with a limit of one second (less than the schema allows). */
async function answering(t: Test, config: Partial<InstanceConfig> = {}) {
  const running = await runSupervisor(t, {
    timings: { pingEveryMs: 50, stopGraceMs: () => 200 },
    config: { hangSeconds: 1, ...config },
  });
  await running.service.start();
  await until('it has answered a ping', () => running.service.status().maxPlayers !== undefined);
  return running;
}

t.test('a hanging server is ended and restarted unless it is excused', async (t) => {
  const [frozen, stuck, off, stopping] = await Promise.all([
    answering(t, { crashPolicy: ONCE_MORE }),
    answering(t),
    answering(t, { hangSeconds: 0 }),
    answering(t, { stopTimeoutSeconds: 12 }),
  ]);
  for (const { service } of [off, stopping, frozen]) service.sendLine('demo freeze');
  // Only its main thread hangs: it still answers pings, and its own watchdog ends it.
  stuck.service.sendLine('demo hang');
  await stopping.service.stop();

  await frozen.waitForLine(/Hung: no answer to the server list ping for 1 s\. Ending it: sending SIGTERM\./);
  await until('it runs again', () => frozen.phases.filter((phase) => phase === 'running').length === 2);
  t.match(frozen.service.status().crash, {
    signal: 'SIGKILL',
    reason: 'Hung: no answer to the server list ping for 1 s.',
  });
  t.match((await frozen.service.crashes())[0]?.lines.join('\n'), /Freezing now/);
  t.equal(stuck.service.status().phase, 'running');
  t.equal(off.service.status().phase, 'running', 'no restart while the guard is off');
  await stopping.waitForPhase('stopped');
  t.notOk(stopping.service.status().crash, 'a stop is not interrupted');
});
