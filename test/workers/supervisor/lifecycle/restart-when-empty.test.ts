import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import t, { type Test } from 'tap';
import { until } from '../../../support/machine/until.ts';
import {
  type RunningSupervisorOptions,
  runSupervisor,
  testPeer,
} from '../../../support/processes/running-supervisor.ts';

/** A demo server on which Steve plays, and that has been asked to restart when nobody is online. */
async function waiting(t: Test, options: RunningSupervisorOptions = {}) {
  const running = await runSupervisor(t, { ...options, timings: { pingEveryMs: 40 } });
  const { service, phases, config } = running;
  let connections = 0;
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => {
      if (socket.remotePort === config.port) connections++;
    });
  };
  // The supervisor runs in this process, and nothing else connects to the game.
  subscribe('net.client.socket', onSocket);
  t.teardown(() => unsubscribe('net.client.socket', onSocket));
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
    restarts: () => phases.filter((phase) => phase === 'stopping').length,
    /** Resolves after this many further list pings at least. */
    pings: async (count: number) => {
      const before = connections;
      // Each begins after the answer to the one before; the first may have begun already.
      await until(`${count} pings`, () => connections > before + count);
    },
  };
}

t.test('the server restarts once, when the last player has left', async (t) => {
  const { service, leave, runs, restarts, waitForLine, online, pings } = await waiting(t);
  await pings(3);
  t.equal(restarts(), 0, 'not while somebody plays');
  await leave();
  await until('it runs again', () => runs() === 2);
  await waitForLine(/Nobody is online: restarting, as requested before\./);
  t.equal(service.status().restartWhenEmpty, undefined);
  await online(0);
  await pings(3);
  t.equal(restarts(), 1, 'once');
});

t.test('it does not happen if somebody joins while it waits for another operation', async (t) => {
  let operation = Promise.resolve();
  const upstream = { beforeAdopting: () => operation };
  const { service, config, leave, restarts, online, pings } = await waiting(t, { upstream });
  await service.configure(Object.assign(config, { maxPlayers: 20 }));
  const { promise, resolve } = Promise.withResolvers<void>();
  operation = promise;
  const change = service.setProperties({ properties: { 'max-players': '30' } });
  await leave();
  await online(0);
  await pings(3);
  await service.command('demo join Alex');
  await online(1);
  resolve();
  await change;
  await pings(1);
  t.equal(restarts(), 0);
  t.equal(service.status().restartWhenEmpty, true, 'it waits on');
  await service.command('demo leave Alex');
  await until('it restarts', () => restarts() === 1);
});

t.test('a cancelled restart does not happen', async (t) => {
  const { service, leave, restarts, online, pings } = await waiting(t);
  await service.restartWhenEmpty(false);
  t.equal(service.status().restartWhenEmpty, undefined);
  await leave();
  await online(0);
  await pings(3);
  t.equal(restarts(), 0);
});

t.test('it waits for a backup that has begun meanwhile', async (t) => {
  const { service, leave, runs, restarts, online, pings } = await waiting(t);
  const lease = await service.hold('backing-up', testPeer());
  await leave();
  await online(0);
  await pings(3);
  t.equal(restarts(), 0);
  await service.release(lease.leaseId);
  await until('it runs again', () => runs() === 2);
});

t.test('it is void after any other end of the game, and refused without one', async (t) => {
  const { service, runs, restarts, waitForPhase, pings, online } = await waiting(t);
  await service.restart();
  await until('it runs again', () => runs() === 2);
  t.equal(service.status().restartWhenEmpty, undefined);
  await online(0);
  await pings(3);
  t.equal(restarts(), 1);
  await service.restartWhenEmpty(true);
  await service.stop();
  t.equal(service.status().restartWhenEmpty, undefined, 'a stop overrides it at once');
  await waitForPhase('stopped');
  await t.rejects(service.restartWhenEmpty(true), { code: 'invalid_state', message: /only a running server/ });
  await service.restartWhenEmpty(false);
  t.equal(service.status().phase, 'stopped');
});
