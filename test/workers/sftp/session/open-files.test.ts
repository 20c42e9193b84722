import t from 'tap';
import type { FilesCalls } from '../../../../workers/sftp/session/files-calls.ts';
import { OpenFiles } from '../../../../workers/sftp/session/open-files.ts';
import type { ServerPlace } from '../../../../workers/sftp/session/servers.ts';
import { createUserShares, MOST_HANDLES_OF_USER } from '../../../../workers/sftp/session/user-shares.ts';

const READ = 1;
const PLACE: ServerPlace = { instanceId: 'demo', path: 'file', right: 'read' };

/** A files process that takes its time for reads, and counts those at the same time. */
function slowFiles() {
  const seen = { last: 0, open: 0, reads: 0, readsAtOnce: 0 };
  const calls = {
    async openHandle() {
      seen.open++;
      return { handle: ++seen.last, sizeBytes: 1_000_000, isNew: false };
    },
    async closeHandle() {
      seen.open--;
      return { isWritten: false };
    },
    async readHandle({ length }: { length: number }) {
      seen.readsAtOnce = Math.max(seen.readsAtOnce, ++seen.reads);
      await new Promise(setImmediate);
      seen.reads--;
      return Buffer.alloc(length);
    },
  };
  return { seen, calls: calls as unknown as FilesCalls };
}

t.test('reads of masked files run one at a time for all sessions of a user, others together', async (t) => {
  const { seen, calls } = slowFiles();
  const shares = createUserShares();
  const sessions = ['ann', 'ann'].map((name) => new OpenFiles(calls, shares(name)));
  const readsOf = async (place: ServerPlace) => {
    seen.readsAtOnce = 0;
    const reads = sessions.map(async (session) => {
      const key = await session.openFile(place, READ, undefined);
      await Promise.all(Array.from({ length: 20 }, (_, n) => session.read(key, 990_000 - n * 1_000, 1)));
    });
    await Promise.all(reads);
    return seen.readsAtOnce;
  };
  t.equal(await readsOf(PLACE), 1);
  t.ok((await readsOf({ ...PLACE, right: 'write' })) > 1);
});

t.test('one user cannot take the handles of all', async (t) => {
  const { seen, calls } = slowFiles();
  const shares = createUserShares();
  const sessions = Array.from({ length: 10 }, () => new OpenFiles(calls, shares('ann')));
  const opened: { session: OpenFiles; key: Buffer }[] = [];
  let refused = 0;
  for (const session of sessions)
    for (let n = 0; n < 128; n++)
      await session.openFile(PLACE, READ, undefined).then(
        (key) => opened.push({ session, key }),
        () => refused++,
      );
  t.equal(opened.length, MOST_HANDLES_OF_USER);
  t.equal(seen.open, MOST_HANDLES_OF_USER);
  t.equal(refused, 1_280 - MOST_HANDLES_OF_USER);
  await new OpenFiles(calls, shares('ben')).openFile(PLACE, READ, undefined);
  const { session, key } = opened[0]!;
  await session.close(key);
  await t.rejects(session.close(key), 'a handle that is closed twice gives one place back');
  await sessions[9]!.openFile(PLACE, READ, undefined);
  await t.rejects(sessions[9]!.openFile(PLACE, READ, undefined));
  for (const one of sessions) await one.end();
  t.equal(seen.open, 1, 'only that of the other user');
  await new OpenFiles(calls, shares('ann')).openFile(PLACE, READ, undefined);
});
