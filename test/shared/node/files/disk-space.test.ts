import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { requireSpace, withStorageError } from '../../../../shared/node/files/disk-space.ts';

t.test('a full disk, an exhausted quota and a full database are one error', (t) => {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA max_page_count = 2; CREATE TABLE t (x)');
  const full = caught(() => database.exec('INSERT INTO t VALUES (zeroblob(100000))'));
  const coded = (code: string) => Object.assign(new Error('refused'), { code });
  for (const cause of [coded('ENOSPC'), coded('EDQUOT'), full])
    t.match(withStorageError(cause, 'the backup'), {
      code: 'insufficient_storage',
      message: 'The disk became full while the backup was written.',
      cause,
    });
  const other = caught(() => database.exec('no SQL'));
  for (const error of [coded('EIO'), other, undefined]) t.equal(withStorageError(error, 'the backup'), error);
  t.end();
});

t.test('a lack of disk space is reported with both sizes', async (t) => {
  await t.resolves(requireSpace('.', 1, 'The backup'));
  await t.rejects(requireSpace('.', 2 ** 60, 'The backup'), {
    code: 'insufficient_storage',
    message: /^The backup needs up to 1048576 TiB, but only [\d.]+ \w+ are free\.$/,
  });
});

function caught(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It should have failed.');
}
