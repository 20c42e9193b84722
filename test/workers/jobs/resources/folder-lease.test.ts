import { mock } from 'node:test';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { LEASE_MS, LEASE_RENEW_MS } from '../../../../shared/contract/supervisor.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { lockFolder } from '../../../../workers/jobs/resources/folder-lease.ts';
import { connectPeers, type Peers } from '../../../../workers/jobs/resources/peers.ts';
import { instanceConfig, startFakeDaemon } from '../../../support/jobs/fake-peers.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

async function setup(t: Test) {
  const home = homeAt(temporaryFolder(t));
  const daemon = await startFakeDaemon(t, home, [instanceConfig(home, 'survival')]);
  const peers = connectPeers(home.daemonSocket);
  t.teardown(() => peers.close());
  const supervisor = await daemon.supervisor('survival');
  const hold = () =>
    lockFolder(
      { instanceId: 'survival', activity: 'backing-up', signal: new AbortController().signal },
      { peers, log: pino({ enabled: false }) },
    );
  return { supervisor, hold };
}

t.test('a lease is renewed until it is released', async (t) => {
  const { supervisor, hold } = await setup(t);
  const held = await hold();
  await until('the lease is renewed', () => supervisor.heard.includes('renew'));
  t.notOk(held.lost.aborted);
  await held.release();
  t.same(supervisor.heard, ['hold backing-up', 'renew', 'release']);
  await (await hold()).release();
});

t.test('the world counts as unchanged only while the supervisor confirms it', async (t) => {
  const { supervisor, hold } = await setup(t);
  const held = await hold();
  t.equal(await held.isStill(), true);
  supervisor.still = false;
  t.equal(await held.isStill(), false);
  supervisor.endLease();
  await t.rejects(held.isStill(), { code: 'invalid_state' });
  await held.release();
  supervisor.still = true;
  supervisor.onHold = () => ({ quiesced: false });
  const other = await hold();
  t.equal(await other.isStill(), false);
  await other.release();
});

t.test('a lease that the supervisor ends is lost', async (t) => {
  const { supervisor, hold } = await setup(t);
  const held = await hold();
  supervisor.endLease();
  await until('the loss is detected', () => held.lost.aborted);
  t.match(held.lost.reason, {
    code: 'worker_unavailable',
    message: 'The lock on the folder of "survival" was lost while the folder was being read.',
  });
  await held.release();
});

t.test('the death of the supervisor ends the lease, and the release does not fail', async (t) => {
  const { supervisor, hold } = await setup(t);
  const held = await hold();
  await supervisor.die();
  await until('the loss is detected', () => held.lost.aborted);
  await held.release();
});

/** A locked folder whose supervisor answers on demand, by the test's clock. */
async function slowly(t: Test) {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  let now = 0;
  let ring: () => void = () => undefined;
  const asked: { patience: number; answer: PromiseWithResolvers<boolean> }[] = [];
  const call = {
    hold: async () => ({ leaseId: 'lease', quiesced: true }),
    renew(_: string, { timeoutMs }: { timeoutMs: number }) {
      const answer = Promise.withResolvers<boolean>();
      asked.push({ patience: timeoutMs, answer });
      return answer.promise;
    },
    release: async () => undefined,
  };
  const supervisor = {
    call,
    onLost(heard: () => void) {
      ring = heard;
      return () => undefined;
    },
    close: () => undefined,
  };
  const held = await lockFolder(
    { instanceId: 'survival', activity: 'backing-up', signal: new AbortController().signal },
    {
      peers: { supervisor: async () => supervisor } as unknown as Peers,
      log: pino({ enabled: false }),
      elapsed: () => now,
    },
  );
  t.teardown(() => held.release());
  return {
    held,
    asked,
    hangUp: () => ring(),
    pass(ms: number) {
      now += ms;
      mock.timers.tick(ms);
    },
    async answer(index: number, what: boolean | GamekeeperError) {
      const { answer } = asked[index]!;
      if (typeof what === 'boolean') answer.resolve(what);
      else answer.reject(what);
      await new Promise(setImmediate);
    },
  };
}

const noAnswer = () => new GamekeeperError('worker_unavailable', 'supervisor:survival did not answer in time.');
const ended = () => new GamekeeperError('invalid_state', 'The lease has ended.');

t.test('a late renewal is harmless as long as the lease lasts', async (t) => {
  const { held, asked, pass, answer } = await slowly(t);
  pass(LEASE_RENEW_MS);
  await answer(0, noAnswer());
  pass(LEASE_RENEW_MS);
  await answer(1, true);
  t.notOk(held.lost.aborted);

  // The lease counts from the last successful renewal.
  pass(LEASE_RENEW_MS);
  await answer(2, noAnswer());
  pass(LEASE_RENEW_MS);
  await answer(3, noAnswer());
  t.notOk(held.lost.aborted);
  t.same(
    asked.map(({ patience }) => patience),
    [
      LEASE_MS - LEASE_RENEW_MS,
      LEASE_MS - 2 * LEASE_RENEW_MS,
      LEASE_MS - LEASE_RENEW_MS,
      LEASE_MS - 2 * LEASE_RENEW_MS,
    ],
    'each renewal waits until the lease ends',
  );
  pass(LEASE_RENEW_MS);
  await answer(4, noAnswer());
  t.match(held.lost.reason, { code: 'worker_unavailable' });
});

t.test('a lease that the supervisor ends, or whose connection breaks, is lost at once', async (t) => {
  const one = await slowly(t);
  one.pass(LEASE_RENEW_MS);
  await one.answer(0, ended());
  t.ok(one.held.lost.aborted);

  mock.timers.reset();
  const other = await slowly(t);
  other.hangUp();
  t.ok(other.held.lost.aborted);
});

t.test('the question whether the world has changed is repeated until the lease ends', async (t) => {
  const { held, pass, answer } = await slowly(t);
  const first = held.isStill();
  await answer(0, noAnswer());
  await answer(1, true);
  t.equal(await first, true);

  const second = held.isStill();
  second.catch(() => undefined);
  pass(LEASE_MS);
  await answer(2, noAnswer());
  await t.rejects(second, { code: 'worker_unavailable' });
});
