import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import type { ImportOptions } from '../../../../workers/jobs/import/import-archive.ts';
import { createUploadImport } from '../../../../workers/jobs/import/import-upload.ts';
import type { JobRun } from '../../../../workers/jobs/queue/job-entry.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('an upload that is cancelled while its import begins is reported as removed', async (t) => {
  const folder = temporaryFolder(t);
  const archive = path.join(folder, 'upload.part');
  writeFileSync(archive, 'PK');
  const scratch = {
    use<T>(_place: string, work: () => Promise<T>): Promise<T> {
      rmSync(archive, { force: true });
      return work();
    },
  };
  const order = { archive, shownAs: 'survival.zip', request: { dryRun: false }, name: 'Survival', id: 'survival' };
  const run = { signal: new AbortController().signal } as JobRun;
  const options = { home: homeAt(folder), scratch } as unknown as ImportOptions;
  await t.rejects(createUploadImport()(order, run, options), {
    code: 'file_not_found',
    message: /^The upload "survival\.zip" was imported or removed/,
    cause: { code: 'ENOENT' },
  });
});
