import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { archive } from '../../../../workers/pool/archive/archive.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { openLarge, readWhole } from '../../../../workers/pool/tree/source-file.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, pack, unpack } from '../round-trip.ts';

const MIB = 1024 * 1024;

/** Archives, and runs `meanwhile` once the first large file is being read, long before the later ones. */
async function packWhile(source: string, target: string, meanwhile: () => void) {
  const progress = new Progress();
  const packing = archive({ source, target, exclude: [], progress: progress.memory });
  while (progress.done === 0) await turn();
  meanwhile();
  return packing;
}

t.test('a file that vanishes before its turn is left out and listed', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), {
    'a.bin': randomBytes(64 * MIB),
    'b.txt': 'b',
    'sub/c.txt': 'c',
    'z.txt': 'z',
  });
  const result = await packWhile(source, path.join(folder, 'a.zip'), () => {
    rmSync(path.join(source, 'b.txt'));
    rmSync(path.join(source, 'sub'), { recursive: true });
  });
  t.same(result.changedFiles, ['b.txt', 'sub/c.txt']);
  t.equal(result.fileCount, 2);
  await unpack(path.join(folder, 'a.zip'), path.join(folder, 'back'), result.sourceBytes);
  t.equal(readFileSync(path.join(folder, 'back/z.txt'), 'utf8'), 'z');
});

t.test('a link that replaces a file is not followed', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), { 'a.bin': randomBytes(64 * MIB), 'b.txt': 'b' });
  writeFileSync(path.join(folder, 'secret'), 'secret');
  const result = await packWhile(source, path.join(folder, 'a.zip'), () => {
    rmSync(path.join(source, 'b.txt'));
    symlinkSync(path.join(folder, 'secret'), path.join(source, 'b.txt'));
  });
  t.same(result.changedFiles, ['b.txt']);
  t.equal(result.fileCount, 1);
});

t.test('a large file that grows is archived with its length when opened, and listed', async (t) => {
  const folder = temporaryFolder(t);
  const before = randomBytes(40 * MIB);
  const source = fill(path.join(folder, 'source'), { 'big.bin': before });
  const result = await packWhile(source, path.join(folder, 'a.zip'), () =>
    appendFileSync(path.join(source, 'big.bin'), randomBytes(MIB)),
  );
  t.same(result.changedFiles, ['big.bin']);
  t.equal(result.sourceBytes, before.length);
  await unpack(path.join(folder, 'a.zip'), path.join(folder, 'back'), result.sourceBytes);
  t.ok(readFileSync(path.join(folder, 'back/big.bin')).equals(before), 'contains nothing written later');
});

t.test('a large file that shrinks is archived to its end, and the archive is valid', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), { 'big.bin': randomBytes(40 * MIB), 'z.txt': 'z' });
  const result = await packWhile(source, path.join(folder, 'a.zip'), () =>
    truncateSync(path.join(source, 'big.bin'), 20 * MIB),
  );
  t.same(result.changedFiles, ['big.bin']);
  t.ok(result.sourceBytes >= 20 * MIB && result.sourceBytes < 40 * MIB);
  const { fileCount } = await unpack(path.join(folder, 'a.zip'), path.join(folder, 'back'), result.sourceBytes);
  t.equal(fileCount, 2);
});

t.test('a file that keeps changing is archived as it is, and listed', async (t) => {
  const file = path.join(temporaryFolder(t), 'f');
  writeFileSync(file, 'x');
  const writing = setInterval(() => appendFileSync(file, 'x'), 1);
  t.teardown(() => clearInterval(writing));
  const content = await readWhole(file);
  t.ok(typeof content === 'object' && !content.steady && content.bytes.length > 0);
});

t.test('a file that was just written is read again, since the clock ticks too slowly to show changes', async (t) => {
  const file = path.join(temporaryFolder(t), 'f');
  writeFileSync(file, 'one');
  // The first read happens before this returns.
  const reading = readWhole(file);
  writeFileSync(file, 'two');
  t.match(await reading, { bytes: Buffer.from('two'), steady: true });
});

t.test('a file that is missing for a moment, while it is replaced, is awaited', async (t) => {
  const file = path.join(temporaryFolder(t), 'f');
  // The first read happens before this returns.
  const whole = readWhole(file);
  const large = openLarge(file);
  writeFileSync(file, 'back');
  t.match(await whole, { bytes: Buffer.from('back') });
  const opened = await large;
  t.match(opened, { size: 4 });
  if (typeof opened === 'object') opened.close();
});

t.test('a file that stays missing is left out', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'f'), '');
  t.equal(await readWhole(path.join(folder, 'x')), 'gone');
  t.equal(await readWhole(path.join(folder, 'f', 'below')), 'replaced');
  t.equal(await readWhole(folder), 'replaced', 'a folder is not a file');
});

t.test('a file without read permission fails the backup and is named', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), { 'sub/private.txt': 'x' });
  chmodSync(path.join(source, 'sub/private.txt'), 0);
  chmodSync(folder, 0o777);
  const packing = await asNobody(() => pack(source, path.join(folder, 'a.zip')).catch((error: unknown) => error));
  t.match(packing, {
    code: 'invalid_state',
    message: `"sub/private.txt" in the server's folder cannot be read.`,
  });
});

/** Root can read everything, so the test becomes another user for a moment. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid!(65_534);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}
