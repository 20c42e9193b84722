import { pino } from 'pino';
import t, { type Test } from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { lockFolder } from '../../../../workers/jobs/resources/folder-lease.ts';
import { connectPeers } from '../../../../workers/jobs/resources/peers.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { instanceConfig, startFakeDaemon } from '../fake-peers.ts';

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
