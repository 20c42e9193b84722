import { existsSync } from 'node:fs';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { JobsProcess } from '../processes/jobs-process.ts';

/** Starts the jobs process where it was in the middle of something that is to go on by itself, such as copying backups. Never throws. */
export async function resumeJobs({ home, jobs, log }: { home: Home; jobs: JobsProcess; log: Logger }): Promise<void> {
  if (!existsSync(home.jobsMark)) return;
  await jobs.ensure().catch((error: unknown) => {
    log.error({ err: error }, 'work that is to go on cannot without the jobs process');
  });
}
