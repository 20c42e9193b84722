import path from 'node:path';
import type { Test } from 'tap';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import { connectJobs, type JobsClient } from '../../../shared/node/ipc/connect.ts';
import type { Job } from '../../../shared/schema/job.ts';
import { startJobs } from '../../../workers/jobs/start-jobs.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { type FakeDaemon, instanceConfig, startFakeDaemon } from './fake-peers.ts';

const POOL = path.join(import.meta.dirname, '../../../workers/pool/main.ts');

/** Jobs in this process, with real sockets, threads and disk, a fake daemon and fake supervisors. */
export interface TestJobs {
  home: Home;
  daemon: FakeDaemon;
  call: JobsClient['call'];
  /** Ends jobs and starts them again on the same home. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Waits for the end of a new job. */
  done(job: Promise<Job>): Promise<Job>;
}

export interface TestJobsOptions {
  /** Ids of instances. Their folders are not created. */
  instances?: string[];
  home?: Home;
  settings?: (daemon: FakeDaemon) => void;
}

export async function startTestJobs(t: Test, options: TestJobsOptions = {}): Promise<TestJobs> {
  const home = options.home ?? homeAt(temporaryFolder(t));
  const configs = (options.instances ?? ['survival']).map((id) => instanceConfig(home, id));
  const daemon = await startFakeDaemon(t, home, configs);
  options.settings?.(daemon);
  const start = () => startJobs({ home, poolEntry: POOL });
  let stop = await start();
  const client = connectJobs(home.jobsSocket);
  t.teardown(async () => {
    client.close();
    await stop();
  });
  return {
    home,
    daemon,
    call: client.call,
    stop: () => stop(),
    async restart() {
      await stop();
      stop = await start();
    },
    done: async (job) => client.call.waitForJob((await job).jobId, { timeoutMs: 0 }),
  };
}
