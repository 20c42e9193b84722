import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import type { Home } from '../shared/node/home.ts';
import type { Logger } from '../shared/node/logger.ts';
import { type KeptProcess, keepRunning } from './kept-process.ts';
import { PROGRAMS } from './programs.ts';
import { startChild } from './spawn.ts';

/** Time for jobs to stop what they are doing, remove what is half done, and release a locked world. Milliseconds. */
const JOBS_GRACE_MS = 4_000;

/** The process for slow work: started on first need, and from then on kept. */
export interface JobsProcess {
  /** Resolves when it serves. Callers at the same time share one start. */
  ensure(): Promise<void>;
  /** Ends it for good, if it was ever started. */
  stop(): Promise<void>;
}

export function createJobsProcess({
  home,
  log,
  ending,
  entry = PROGRAMS.jobs,
}: {
  home: Home;
  log: Logger;
  ending: AbortSignal;
  entry?: string;
}): JobsProcess {
  let kept: Promise<KeptProcess<unknown>> | undefined;
  let stopped = false;

  function start(): Promise<KeptProcess<unknown>> {
    const args = ['--home', home.root];
    const starting = keepRunning({
      name: 'jobs process',
      log,
      ending,
      start: () => startChild({ name: 'jobs process', entry, args, logFile: `${home.logs}/jobs.log` }),
    });
    // A first start that failed is tried again on the next need.
    starting.catch(() => {
      if (kept === starting) kept = undefined;
    });
    return starting;
  }

  return {
    async ensure() {
      if (stopped) throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
      kept ??= start();
      await (await kept).ready();
    },
    async stop() {
      stopped = true;
      const running = await kept?.catch(() => undefined); // One that could not be started need not be ended.
      await running?.stop(JOBS_GRACE_MS);
    },
  };
}
