import { existsSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { changeFolder, tidyFolder } from '../../../../../workers/jobs/mods/folder/change-folder.ts';
import { openModFolder } from '../../../../../workers/jobs/mods/folder/open-mod-folder.ts';
import type { Put } from '../../../../../workers/jobs/mods/waiting-changes.ts';
import { hexOf } from '../../../../../workers/jobs/vendors/digest.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

t.test('a missing folder is created, so that servers of other users can read it', async (t) => {
  const directory = path.join(temporaryFolder(t), 'survival');
  using folder = await openModFolder(directory, 'mods');
  t.equal(folder.path, path.join(directory, 'mods'));
  t.equal(statSync(folder.path).mode & 0o777, 0o755);
});

t.test('a link or a file instead of the folder is refused', async (t) => {
  const directory = temporaryFolder(t);
  const outside = temporaryFolder(t);
  symlinkSync(outside, path.join(directory, 'mods'));
  writeFileSync(path.join(directory, 'plugins'), 'x');
  for (const name of ['mods', 'plugins'])
    await t.rejects(openModFolder(directory, name), { code: 'invalid_state', message: /is a link or a file/ });
});

t.test('a link that takes the name of the opened folder changes nothing outside', async (t) => {
  if (process.platform !== 'linux') return t.pass('other systems have no paths to opened folders');
  const directory = temporaryFolder(t);
  const outside = temporaryFolder(t);
  const source = path.join(temporaryFolder(t), 'new');
  writeFileSync(source, 'new');
  writeFileSync(path.join(outside, 'left.jar.gamekeeper-new'), 'theirs');
  const sha512 = (await hexOf(source, 'sha512'))!;
  using folder = await openModFolder(directory, 'mods');
  renameSync(folder.path, path.join(directory, 'moved'));
  symlinkSync(outside, folder.path);

  const change = { removes: [], puts: [{ file: 'a.jar', sha512 } as Put] };
  const finish = await changeFolder(
    { folder: folder.place, change, sources: new Map([[sha512, source]]) },
    AbortSignal.timeout(120_000),
  );
  await finish();
  await tidyFolder(folder.place, undefined);
  t.ok(existsSync(path.join(directory, 'moved/a.jar')), 'the opened folder is changed');
  t.same(readdirSync(outside), ['left.jar.gamekeeper-new']);
  return;
});
