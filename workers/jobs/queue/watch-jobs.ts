import type { JobEvent } from '../../../shared/contract/jobs.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { JobQueue } from './queue.ts';

/** How often running jobs are checked for progress. Milliseconds. */
const LOOK_EVERY_MS = 500;

/** Yields all jobs, then each change, progress twice a second. A slow reader only gets the newest state of each job. */
export async function* watchJobs(queue: JobQueue, signal: AbortSignal): AsyncGenerator<JobEvent> {
  const active = new Map<string, Job>();
  const changed = new Set<string>();
  let wake: (() => void) | undefined;
  const wakeUp = () => wake?.();
  const stop = queue.onChange(({ jobId }) => {
    changed.add(jobId);
    wakeUp();
  });
  signal.addEventListener('abort', wakeUp);

  async function rest(): Promise<void> {
    if (changed.size > 0 || signal.aborted) return;
    const isRunning = [...active.values()].some(({ state }) => state === 'running');
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (isRunning) timer = setTimeout(resolve, LOOK_EVERY_MS);
    });
    clearTimeout(timer);
  }

  try {
    const jobs = queue.all();
    for (const job of jobs) if (job.endedAt === undefined) active.set(job.jobId, job);
    yield { type: 'snapshot', jobs };
    for (;;) {
      await rest();
      if (signal.aborted) return;
      const ids = new Set([...changed, ...active.keys()]);
      changed.clear();
      for (const jobId of ids) {
        const before = active.get(jobId);
        const job = queue.find(jobId);
        if (job && job.endedAt === undefined) active.set(jobId, job);
        else active.delete(jobId);
        if (job && (job.state !== before?.state || job.bytesDone !== before.bytesDone)) yield { type: 'changed', job };
      }
    }
  } finally {
    stop();
    signal.removeEventListener('abort', wakeUp);
  }
}
