import { rename, rm, writeFile } from 'node:fs/promises';
import { readJsonRecord } from '../../../shared/node/files/json-record.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { cutOffJob } from '../../../shared/schema/cut-off-job.ts';
import type { Job } from '../../../shared/schema/job.ts';
import { isActive } from './job-entry.ts';
import type { JobQueue } from './queue.ts';

export interface UnfinishedBackupsOptions {
  /** Holds the backups that are queued or running, for the next process. */
  file: string;
  queue: Pick<JobQueue, 'all' | 'onChange' | 'recall'>;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Logger;
}

/**
 * Shows the backups that the end of the previous process cut off as failed, and records those of this process from now on. Call it before
 * any job is added. Resolves to a function that leaves the record as it is; call it before an orderly end cancels the jobs. Neither rejects: a
 * backup does not depend on the record.
 */
export async function followUnfinishedBackups({
  file,
  queue,
  now,
  log,
}: UnfinishedBackupsOptions): Promise<() => Promise<void>> {
  const mutex = createMutex();
  const warn = (error: unknown) => log.warn({ err: error }, 'the record of unfinished backups failed');

  async function record(): Promise<void> {
    const unfinished = queue.all().filter((job) => job.kind === 'backup' && isActive(job));
    if (unfinished.length === 0) return rm(file, { force: true });
    // Replaced as a whole, but not synced: it is for the end of this process, not of the machine.
    await writeFile(`${file}.new`, JSON.stringify(unfinished), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  const update = () => mutex.run(record).catch(warn);
  const left = await readJsonRecord(file).catch(warn);
  if (Array.isArray(left)) queue.recall((left as Job[]).map((job) => cutOffJob(job, now())));
  await update();
  const stop = queue.onChange(({ kind }) => {
    if (kind === 'backup') void update();
  });
  return () => {
    stop();
    return mutex.settled();
  };
}
