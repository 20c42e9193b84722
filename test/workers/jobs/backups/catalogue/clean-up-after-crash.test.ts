import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

t.test('what cannot be removed does not keep jobs from starting, nor others from being removed', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const formerFolder = path.join(temporaryFolder(t), 'former');
  jobs.daemon.setBackups({ directory: formerFolder });
  await backUp(jobs);
  jobs.daemon.setBackups({});
  const keys = [await backUp(jobs), await backUp(jobs)];
  const archives = (await Promise.all(keys.map((key) => jobs.call.archivePath(key)))).sort();
  await jobs.stop();
  // ELOOP stands for the errors of a disk that is gone.
  renameSync(formerFolder, `${formerFolder}.away`);
  symlinkSync('former', formerFolder);
  mkdirSync(`${archives[0]}.partial`);
  writeFileSync(`${archives[1]}.partial`, 'half');
  const database = new DatabaseSync(jobs.home.database);
  const blocked = path.join(temporaryFolder(t), 'blocked');
  symlinkSync('blocked', blocked);
  const scratch = [path.join(blocked, 'below'), temporaryFolder(t)];
  for (const folder of scratch) database.prepare('INSERT INTO backup_scratch (path) VALUES (?)').run(folder);
  database.close();
  await jobs.restart();
  t.notOk(existsSync(`${archives[1]}.partial`));
  t.notOk(existsSync(scratch[1]!));
  t.ok(existsSync(archives[0]!));
});
