import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { FileSort } from '../../../../shared/schema/files.ts';
import { listFolder } from '../../../../workers/files/folder/list-folder.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('names beyond ASCII are listed on a disk that does not keep the types of entries', async (t) => {
  if (!requireProgram(t, 'mkfs.ext4', 'e2fsprogs')) return;
  const image = path.join(temporaryFolder(t), 'disk.img');
  writeFileSync(image, '');
  truncateSync(image, 8 * 1024 * 1024);
  execFileSync('mkfs.ext4', ['-q', '-O', '^filetype,^has_journal', image]);
  const disk = path.join(path.dirname(image), 'disk');
  if (!mounted(t, disk, '-o', 'loop', image)) return;
  writeFileSync(path.join(disk, 'café.txt'), 'latte');
  mkdirSync(path.join(disk, 'wörld'));
  for (const sort of ['name', 'size'] satisfies FileSort[]) {
    const list = await listFolder(disk, '', { sort, order: 'asc', limit: 10 }, new AbortController().signal);
    t.match(
      list.entries.filter(({ name }) => name !== 'lost+found'),
      [
        { name: 'wörld', kind: 'folder' },
        { name: 'café.txt', kind: 'file', sizeBytes: 5 },
      ],
      sort,
    );
  }
});
