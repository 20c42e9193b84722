import t, { type Test } from 'tap';
import type { Peer } from '../../../../shared/contract/call.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type FolderGuard, FolderLock } from '../../../../workers/supervisor/folder/folder-lock.ts';
import { until } from '../../../support/machine/until.ts';
import { testPeer } from '../../../support/processes/running-supervisor.ts';

/** A connection that the test can close. */
function peer() {
  const listeners = new Set<() => void>();
  const self: Peer = {
    id: 1,
    onClose(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const close = () => {
    for (const listener of [...listeners]) listener();
  };
  return { self, listeners, close };
}

function lockedFolder({
  leaseMs = 60_000,
  settle = async () => true,
  still = true,
}: {
  leaseMs?: number;
  still?: boolean;
  settle?: (_: string, signal: AbortSignal) => Promise<boolean>;
} = {}) {
  const events: string[] = [];
  const freed = Promise.withResolvers<void>();
  const folder = new FolderLock(leaseMs);
  const guard: FolderGuard = {
    settle: (activity, signal) => {
      events.push(`settle ${activity}`);
      return settle(activity, signal);
    },
    isStill: () => folder.activity !== undefined && still,
    unsettle: async (activity) => {
      events.push(`unsettle ${activity}`);
    },
  };
  folder.on('change', () => {
    if (folder.activity === undefined) freed.resolve();
  });
  return { folder, guard, events, freed: freed.promise };
}

t.test('a second holder is refused with what the folder is locked for', async (t) => {
  const { folder, guard, events } = lockedFolder();
  const { leaseId, quiesced } = await folder.take('backing-up', peer().self, guard);
  t.equal(quiesced, true);
  t.equal(folder.activity, 'backing-up');
  await t.rejects(folder.take('backing-up', peer().self, guard), { code: 'backup_in_progress' });
  t.throws(() => folder.assertFree(), { code: 'backup_in_progress' });
  await folder.release(leaseId);
  t.equal(folder.activity, undefined);
  folder.assertFree();
  t.strictSame(events, ['settle backing-up', 'unsettle backing-up']);
  await folder.release(leaseId);
  t.equal(events.length, 2, 'a second release does nothing');
});

t.test('a lease ends unless it is renewed', async (t) => {
  const { folder, guard, freed } = lockedFolder({ leaseMs: 60 });
  const { leaseId } = await folder.take('restoring', peer().self, guard);
  const renewals = setInterval(() => folder.renew(leaseId), 15);
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal(folder.activity, 'restoring');
  clearInterval(renewals);
  await freed;
  t.throws(() => folder.renew(leaseId), { code: 'invalid_state' });
});

t.test('renew returns whether the world can still be still', async (t) => {
  for (const still of [true, false]) {
    const { folder, guard } = lockedFolder({ still });
    const { leaseId } = await folder.take('backing-up', peer().self, guard);
    t.equal(folder.renew(leaseId), still);
    await folder.close();
  }
});

t.test("the lock ends with the holder's connection", async (t) => {
  const { folder, guard, freed } = lockedFolder();
  const holder = peer();
  await folder.take('backing-up', holder.self, guard);
  holder.close();
  await freed;
  t.equal(folder.activity, undefined);
  t.equal(holder.listeners.size, 0);
});

t.test('a connection that closes while the world is being locked undoes the lock', async (t) => {
  const { folder, guard, events, freed } = lockedFolder({
    settle: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(false))),
  });
  const holder = peer();
  const taken = folder.take('backing-up', holder.self, guard);
  holder.close();
  await t.rejects(taken, { code: 'invalid_state' });
  await freed;
  t.strictSame(events, ['settle backing-up', 'unsettle backing-up']);
});

t.test('a folder that cannot be settled is not locked', async (t) => {
  const { folder, guard, events } = lockedFolder({ settle: () => Promise.reject(new Error('no')) });
  await t.rejects(folder.take('restoring', peer().self, guard), { message: 'no' });
  t.equal(folder.activity, undefined);
  t.strictSame(events, ['settle restoring', 'unsettle restoring']);
});

const DAY_MS = 24 * 60 * 60_000;

/** Sets this process's clock; the end of the test resets it. */
function setClock(t: Test): (byMs: number) => void {
  const { now } = Date;
  let offset = 0;
  Date.now = () => now() + offset;
  t.teardown(() => {
    Date.now = now;
  });
  return (byMs) => {
    offset = byMs;
  };
}

t.test('a lease lasts its time whatever the system clock does', async (t) => {
  const jump = setClock(t);
  const lock = new FolderLock(300);
  const guard = { settle: async () => true, isStill: () => true, unsettle: async () => undefined };
  const { leaseId } = await lock.take('backing-up', testPeer(), guard);
  jump(DAY_MS);
  t.equal(lock.renew(leaseId), true, 'it does not end early');
  jump(-DAY_MS);
  await until('it ends in time', () => lock.activity === undefined, { deadlineMs: 5_000 });
  t.throws(() => lock.renew(leaseId), GamekeeperError);
});
