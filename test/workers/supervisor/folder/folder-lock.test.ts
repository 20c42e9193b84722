import t from 'tap';
import type { Peer } from '../../../../shared/contract/call.ts';
import { FolderLock } from '../../../../workers/supervisor/folder/folder-lock.ts';

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

function hold({
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
  const folder: FolderLock = new FolderLock({
    leaseMs,
    settle: (activity, signal) => {
      events.push(`settle ${activity}`);
      return settle(activity, signal);
    },
    isStill: () => folder.activity !== undefined && still,
    unsettle: async (activity) => {
      events.push(`unsettle ${activity}`);
    },
    onChange: () => {
      if (folder.activity === undefined) freed.resolve();
    },
  });
  return { folder, events, freed: freed.promise };
}

t.test('one holds the folder, others are told what for', async (t) => {
  const { folder, events } = hold();
  const { leaseId, quiesced } = await folder.take('backing-up', peer().self);
  t.equal(quiesced, true);
  t.equal(folder.activity, 'backing-up');
  await t.rejects(folder.take('backing-up', peer().self), { code: 'backup_in_progress' });
  t.throws(() => folder.assertFree(), { code: 'backup_in_progress' });
  await folder.release(leaseId);
  t.equal(folder.activity, undefined);
  folder.assertFree();
  t.strictSame(events, ['settle backing-up', 'unsettle backing-up']);
  await folder.release(leaseId);
  t.equal(events.length, 2, 'a second release does nothing');
});

t.test('a lease that is not renewed ends by itself; one that is, lasts', async (t) => {
  const { folder, freed } = hold({ leaseMs: 60 });
  const { leaseId } = await folder.take('restoring', peer().self);
  const renewals = setInterval(() => folder.renew(leaseId), 15);
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal(folder.activity, 'restoring');
  clearInterval(renewals);
  await freed;
  t.throws(() => folder.renew(leaseId), { code: 'invalid_state' });
});

t.test('who renews it learns whether the world can still be still', async (t) => {
  for (const still of [true, false]) {
    const { folder } = hold({ still });
    const { leaseId } = await folder.take('backing-up', peer().self);
    t.equal(folder.renew(leaseId), still);
    await folder.close();
  }
});

t.test("it ends with the holder's connection, which is not listened to any more after a release", async (t) => {
  const { folder, freed } = hold();
  const holder = peer();
  await folder.take('backing-up', holder.self);
  holder.close();
  await freed;
  t.equal(folder.activity, undefined);
  t.equal(holder.listeners.size, 0);
});

t.test('a connection that closes while the world is being locked ends the locking, and undoes it', async (t) => {
  const { folder, events, freed } = hold({
    settle: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(false))),
  });
  const holder = peer();
  const taken = folder.take('backing-up', holder.self);
  holder.close();
  await t.rejects(taken, { code: 'invalid_state' });
  await freed;
  t.strictSame(events, ['settle backing-up', 'unsettle backing-up']);
});

t.test('where the folder cannot be held, nothing is held', async (t) => {
  const { folder, events } = hold({ settle: () => Promise.reject(new Error('no')) });
  await t.rejects(folder.take('restoring', peer().self), { message: 'no' });
  t.equal(folder.activity, undefined);
  t.strictSame(events, ['settle restoring', 'unsettle restoring']);
});
