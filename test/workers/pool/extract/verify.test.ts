import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { verify } from '../../../../workers/pool/extract/verify.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, pack } from '../round-trip.ts';

const files = { 'r.0.0.mca': randomBytes(300_000), 'a.txt': 'a'.repeat(300_000), 'empty/': '' };

t.test('an unchanged archive passes, and all of it is read', async (t) => {
  const folder = temporaryFolder(t);
  const archive = path.join(folder, 'a.zip');
  const { sha256, sourceBytes, sizeBytes } = await pack(fill(path.join(folder, 's'), files), archive);
  const progress = new Progress();
  t.same(await verify({ archive, sha256, sourceBytes, progress: progress.memory }), { sha256, damage: null });
  t.equal(progress.done, sizeBytes + sourceBytes);
  t.equal(progress.total, progress.done);
});

t.test('any flipped byte is found', async (t) => {
  const folder = temporaryFolder(t);
  const archive = path.join(folder, 'a.zip');
  const { sha256, sourceBytes } = await pack(fill(path.join(folder, 's'), files), archive);
  const bytes = readFileSync(archive);
  bytes[(bytes.length / 2) | 0]! ^= 1;
  writeFileSync(archive, bytes);
  const result = await verify({ archive, sha256, sourceBytes, progress: new Progress().memory });
  t.match(result, { damage: 'The backup is damaged. Its SHA-256 is not the one that was recorded.' });
  t.not(result.sha256, sha256, 'the actual hash is returned');
});

t.test('a matching hash does not hide damage from before it was computed', async (t) => {
  const folder = temporaryFolder(t);
  const archive = path.join(folder, 'a.zip');
  const { sourceBytes } = await pack(fill(path.join(folder, 's'), files), archive);
  const bytes = readFileSync(archive);
  bytes[(bytes.length / 2) | 0]! ^= 1;
  writeFileSync(archive, bytes);
  const progress = new Progress();
  const { sha256 } = await verify({ archive, sha256: '', sourceBytes, progress: progress.memory });
  t.match(await verify({ archive, sha256, sourceBytes, progress: progress.memory }), { damage: /is wrong|is damaged/ });
});
