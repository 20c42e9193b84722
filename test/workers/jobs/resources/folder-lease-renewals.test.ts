import { mock } from 'node:test';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { LEASE_MS, LEASE_RENEW_MS } from '../../../../shared/contract/supervisor.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { lockFolder } from '../../../../workers/jobs/resources/folder-lease.ts';
import type { Peers } from '../../../../workers/jobs/resources/peers.ts';

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
