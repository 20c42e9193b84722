import t, { type Test } from 'tap';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const ONCE_MORE = { restart: 'on-failure', maxRestarts: 1, windowSeconds: 600 } as const;

/** A demo server that has answered a ping; a second of silence (less than the schema allows) is too long for it. */
async function answering(t: Test, config: Partial<InstanceConfig> = {}) {
  const running = await runSupervisor(t, { pingEveryMs: 50, stopGraceMs: 200, config: { hangSeconds: 1, ...config } });
  await running.service.start();
  await until('it has answered a ping', () => running.service.status().maxPlayers !== undefined);
  return running;
}

t.test('a server that does nothing any more is ended and restarted; one that is excused is not', async (t) => {
  const [frozen, stuck, off, stopping] = await Promise.all([
    answering(t, { crashPolicy: ONCE_MORE }),
    answering(t),
    answering(t, { hangSeconds: 0 }),
    answering(t, { stopTimeoutSeconds: 12 }),
  ]);
  for (const { service } of [off, stopping, frozen]) service.sendLine('demo freeze');
  // Its main thread alone: it answers pings, and its own watchdog sees to it.
  stuck.service.sendLine('demo hang');
  await stopping.service.stop();

  await frozen.waitForLine(/Hung: it had not answered the server list's ping for 1 s\. Ending it\./);
  await until('it runs again', () => frozen.phases.filter((phase) => phase === 'running').length === 2);
  t.match(frozen.service.status().crash, {
    signal: 'SIGKILL',
    reason: "Hung: it had not answered the server list's ping for 1 s.",
  });
  t.match((await frozen.service.crashes())[0]?.lines.join('\n'), /Freezing now/);
  t.equal(stuck.service.status().phase, 'running');
  t.equal(off.service.status().phase, 'running', 'switched off');
  await stopping.waitForPhase('stopped');
  t.notOk(stopping.service.status().crash, 'a stop that is under way takes its course');
});
