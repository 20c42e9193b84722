/**
 * A link that replaces a folder between check and use during a backup is not followed: the archive, which others may download, has nothing of
 * its target (CVE-2024-27102 of Wings: time of check, time of use).
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Files that are read first, which leaves time to replace the folder that is read later. */
const EARLIER = { files: 120, bytes: 512 * 1024 };
/** Stored without compression because of its extension, so that it can be found in an archive. */
const NAME = 'secret.png';
const SECRET = randomBytes(48).toString('hex');

t.test('a link that replaces a folder is not archived', async (t) => {
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
  t.equal(status, 200, 'the other files are backed up');
  const archive = await readFile(path.join(gamekeeper.home, 'backups/demo', `${body.backupId}.zip`));
  t.equal(archive.includes(SECRET), false, 'without the target of the link');
  t.ok(archive.includes('z.txt'));
  const entry = await gamekeeper.api('GET', `/instances/demo/backups/${body.backupId}`);
  t.match(entry.body, { changedFiles: ['later/deep/secret.png', 'later/secret.png'] }, 'the missing files are listed');
});

function partialOf(home: string): string | undefined {
  try {
    return readdirSync(path.join(home, 'backups/demo')).find((name) => name.endsWith('.partial'));
  } catch {
    // The first backup creates the folder.
    return undefined;
  }
}
