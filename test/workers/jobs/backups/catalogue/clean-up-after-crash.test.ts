import { existsSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { startTestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { backUp, makeWorld } from '../replication/copies.ts';

t.test('leftovers in a former backups folder are removed, too', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  jobs.daemon.setBackups({ directory: temporaryFolder(t) });
  const archive = await jobs.call.archivePath(await backUp(jobs));
  writeFileSync(`${archive}.partial`, 'half');
  jobs.daemon.setBackups({ directory: temporaryFolder(t) });
  await jobs.restart();
  t.notOk(existsSync(`${archive}.partial`));
  t.ok(existsSync(archive));
});
