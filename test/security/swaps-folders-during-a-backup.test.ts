/**
 * A folder that has been looked at and is then swapped for a link, while a backup is being made: the archive, which others may download,
 * holds nothing of what the link leads to (CVE-2024-27102 of Wings: time of check, time of use).
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Read in the order of their names: long enough for what comes later to be swapped meanwhile. */
const EARLIER = { files: 120, bytes: 512 * 1024 };
/** Is stored as it is, because of its ending, so that it can be found in an archive. */
const NAME = 'secret.png';
const SECRET = randomBytes(48).toString('hex');

t.test("what takes a folder's place is not archived", async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const folder = path.join(gamekeeper.home, 'instances/demo');
  const outside = temporaryFolder(t);
  mkdirSync(path.join(outside, 'deep'));
  for (const place of ['', 'deep']) writeFileSync(path.join(outside, place, NAME), SECRET);
  mkdirSync(path.join(folder, 'earlier'), { recursive: true });
  for (let n = 0; n < EARLIER.files; n++)
    writeFileSync(path.join(folder, 'earlier', `${n}.png`), randomBytes(EARLIER.bytes));
  mkdirSync(path.join(folder, 'later/deep'), { recursive: true });
  for (const place of ['', 'deep']) writeFileSync(path.join(folder, 'later', place, NAME), 'mine'.repeat(24));
  writeFileSync(path.join(folder, 'z.txt'), 'last');

  const backup = gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup', { cloudReplicate: false });
  while (!partialOf(gamekeeper.home)) await new Promise(setImmediate);
  renameSync(path.join(folder, 'later'), path.join(folder, 'zz-aside'));
  symlinkSync(outside, path.join(folder, 'later'));

  const { status, body } = await backup;
  t.equal(status, 200, 'the rest is backed up');
  const archive = await readFile(path.join(gamekeeper.home, 'backups/demo', `${body.backupId}.zip`));
  t.equal(archive.includes(SECRET), false, 'without what belongs to others');
  t.ok(archive.includes('z.txt'));
  const entry = await gamekeeper.api('GET', `/instances/demo/backups/${body.backupId}`);
  t.match(entry.body, { changedFiles: ['later/deep/secret.png', 'later/secret.png'] }, 'what is missing is named');
});

function partialOf(home: string): string | undefined {
  try {
    return readdirSync(path.join(home, 'backups/demo')).find((name) => name.endsWith('.partial'));
  } catch {
    // The first backup makes the folder.
    return undefined;
  }
}
