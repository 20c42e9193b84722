import t from 'tap';
import { runSupervisor } from '../../support/running-supervisor.ts';
import { until } from '../../support/until.ts';

const ONCE_MORE = { restart: 'on-failure', maxRestarts: 1, windowSeconds: 600 } as const;
/** Less than the schema allows, so that a test need not wait. */
const SOON = { pingEveryMs: 50, stopGraceMs: 200 };

t.test('a server that does nothing any more is ended, and its crash policy sees to it', async (t) => {
  const { service, waitForPhase, waitForLine, phases } = await runSupervisor(t, {
    ...SOON,
    config: { hangSeconds: 1, crashPolicy: ONCE_MORE, software: 'demo' },
  });
  await service.start();
  await waitForPhase('running');
  await until('it has answered a ping', () => service.status().maxPlayers !== undefined);
  service.sendLine('demo freeze');
  await waitForLine(/Hung: it had not answered the server list's ping for 1 s\. Ending it\./);
  await until('it runs again', () => phases.filter((phase) => phase === 'running').length === 2);
  t.match(service.status().crash, {
    signal: 'SIGKILL',
    reason: "Hung: it had not answered the server list's ping for 1 s.",
  });
  t.match((await service.crashes())[0]?.lines.join('\n'), /Freezing now/);
});

t.test('one whose main thread alone is stuck answers pings, and is left to its own watchdog', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, { ...SOON, config: { hangSeconds: 1 } });
  const frozen = await runSupervisor(t, { ...SOON, config: { hangSeconds: 1 } });
  for (const one of [service, frozen.service]) await one.start();
  await waitForPhase('running');
  await frozen.waitForPhase('running');
  await until('it has answered a ping', () => frozen.service.status().maxPlayers !== undefined);
  service.sendLine('demo hang');
  frozen.service.sendLine('demo freeze');
  await frozen.waitForPhase('crashed');
  t.equal(service.status().phase, 'running');
});

t.test('0 switches it off, and a stop that is under way is not disturbed', async (t) => {
  const off = await runSupervisor(t, { ...SOON, config: { hangSeconds: 0 } });
  const on = await runSupervisor(t, { ...SOON, config: { hangSeconds: 1 } });
  const stopping = await runSupervisor(t, { ...SOON, config: { hangSeconds: 1, stopTimeoutSeconds: 6 } });
  for (const one of [off, on, stopping]) {
    await one.service.start();
    await one.waitForPhase('running');
    await until('it has answered a ping', () => one.service.status().maxPlayers !== undefined);
    one.service.sendLine('demo freeze');
  }
  await stopping.service.stop();
  await on.waitForPhase('crashed');
  t.equal(off.service.status().phase, 'running');
  await stopping.waitForPhase('stopped');
  t.notOk(stopping.service.status().crash);
});
