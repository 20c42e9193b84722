import t, { type Test } from 'tap';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor, testPeer } from '../../../support/processes/running-supervisor.ts';

/** A demo server on which Steve plays, and that has been asked to restart when nobody is online. */
async function waiting(t: Test) {
  const running = await runSupervisor(t, { timings: { pingEveryMs: 40 } });
  const { service, phases } = running;
  await service.start();
  await running.waitForPhase('running');
  await service.command('demo join Steve');
  const online = (count: number) =>
    until(`${count} online`, () => service.status().playersOnline === count && !service.status().players === !count);
  await online(1);
  await service.restartWhenEmpty(true);
  t.equal(service.status().restartWhenEmpty, true);
  return {
    ...running,
    online,
    leave: () => service.command('demo leave Steve'),
    runs: () => phases.filter((phase) => phase === 'running').length,
    /** Resolves after this many further list pings at least. */
    pings: async (count: number) => {
      let seen = 0;
      const ending = new AbortController();
      for await (const _ of service.watch(ending.signal)) if (++seen > count) break;
      ending.abort();
    },
  };
}

t.test('the server restarts once, when the last player has left', async (t) => {
  const { service, leave, runs, waitForLine, online, pings } = await waiting(t);
  await pings(3);
  t.equal(runs(), 1, 'not while somebody plays');
  await leave();
  await until('it runs again', () => runs() === 2);
  await waitForLine(/Nobody is online: restarting, as requested before\./);
  t.equal(service.status().restartWhenEmpty, undefined);
  await online(0);
  await pings(3);
  t.equal(runs(), 1 + 1, 'once');
});

t.test('a cancelled restart does not happen', async (t) => {
  const { service, leave, runs, online, pings } = await waiting(t);
  await service.restartWhenEmpty(false);
  t.equal(service.status().restartWhenEmpty, undefined);
  await leave();
  await online(0);
  await pings(3);
  t.equal(runs(), 1);
});

t.test('it waits for a backup that has begun meanwhile', async (t) => {
  const { service, leave, runs, online, pings } = await waiting(t);
  const lease = await service.hold('backing-up', testPeer());
  await leave();
  await online(0);
  await pings(3);
  t.equal(runs(), 1);
  await service.release(lease.leaseId);
  await until('it runs again', () => runs() === 2);
});

t.test('it is void after any other end of the game, and refused without one', async (t) => {
  const { service, runs, waitForPhase, pings, online } = await waiting(t);
  await service.restart();
  await until('it runs again', () => runs() === 2);
  t.equal(service.status().restartWhenEmpty, undefined);
  await online(0);
  await pings(3);
  t.equal(runs(), 2);
  await service.restartWhenEmpty(true);
  await service.stop();
  t.equal(service.status().restartWhenEmpty, undefined, 'a stop overrides it at once');
  await waitForPhase('stopped');
  await t.rejects(service.restartWhenEmpty(true), { code: 'invalid_state', message: /only a running server/ });
  await service.restartWhenEmpty(false);
  t.equal(service.status().phase, 'stopped');
});
