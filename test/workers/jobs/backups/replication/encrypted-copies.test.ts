import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import t, { type Test } from 'tap';
import {
  createEncryptedCopies,
  decryptCopy,
} from '../../../../../workers/jobs/backups/replication/encrypted-copies.ts';
import { createPool } from '../../../../../workers/jobs/resources/pool.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

const { signal } = new AbortController();

async function parts(t: Test) {
  const pool = createPool(path.join(import.meta.dirname, '../../../../../workers/pool/main.ts'));
  t.teardown(() => pool.close());
  const folder = temporaryFolder(t);
  const content = randomBytes(5_000_000);
  const archive = path.join(folder, 'one.zip');
  await writeFile(archive, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { pool, folder, content, archive: { archive, sha256 }, copies: createEncryptedCopies(pool) };
}

t.test('an encrypted copy is made once, survives a restart and is removed on release', async (t) => {
  const { pool, folder, content, archive, copies } = await parts(t);
  const encryption = { identity: await generateX25519Identity() };
  const [one, two] = await Promise.all([
    copies.prepare(archive, { encryption, signal }),
    copies.prepare(archive, { encryption, signal }),
  ]);
  t.same(one, two, 'a concurrent caller gets the same result');
  t.equal(
    createHash('sha256')
      .update(await readFile(one.file))
      .digest('hex'),
    one.sha256,
  );
  t.equal((await stat(one.file)).size, one.sizeBytes);
  t.same(
    await createEncryptedCopies(pool).prepare(archive, { encryption, signal }),
    one,
    'the next process gets the same result',
  );

  const target = path.join(folder, 'back.zip');
  await decryptCopy({ copy: one.file, target, sha256: archive.sha256 }, { encryption, signal }, pool);
  t.ok(content.equals(await readFile(target)));

  await copies.release(archive.archive);
  await copies.release(archive.archive);
  t.same(await readdir(folder), ['back.zip', 'one.zip']);
});

t.test('different keys give a different copy', async (t) => {
  const { folder, pool, archive, copies } = await parts(t);
  const [old, current] = [{ identity: await generateX25519Identity() }, { identity: await generateX25519Identity() }];
  const before = await copies.prepare(archive, { encryption: old, signal });
  const after = await copies.prepare(archive, { encryption: current, signal });
  t.not(before.sha256, after.sha256);
  const target = path.join(folder, 'back.zip');
  const copy = { copy: after.file, target, sha256: archive.sha256 };
  await decryptCopy(copy, { encryption: current, signal }, pool);
  await t.rejects(decryptCopy(copy, { encryption: old, signal }, pool), { code: 'decryption_failed' });
});

t.test('a failed or cancelled attempt leaves no file', async (t) => {
  const { folder, pool, archive, copies } = await parts(t);
  const encryption = { identity: await generateX25519Identity() };
  await t.rejects(copies.prepare({ ...archive, sha256: 'a'.repeat(64) }, { encryption, signal }), {
    code: 'backup_damaged',
  });
  const cancelled = new Error('cancelled');
  await t.rejects(copies.prepare(archive, { encryption, signal: AbortSignal.abort(cancelled) }), cancelled);
  const { file } = await copies.prepare(archive, { encryption, signal });
  const target = path.join(folder, 'back.zip');
  await t.rejects(decryptCopy({ copy: file, target, sha256: 'b'.repeat(64) }, { encryption, signal }, pool), {
    code: 'backup_damaged',
  });
  t.same((await readdir(folder)).sort(), ['one.zip', 'one.zip.age', 'one.zip.age.json']);
});
