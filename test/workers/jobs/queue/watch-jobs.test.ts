import t from 'tap';
import type { JobEvent } from '../../../../shared/contract/jobs.ts';
import type { JobRun } from '../../../../workers/jobs/queue/job-entry.ts';
import { JobQueue } from '../../../../workers/jobs/queue/queue.ts';
import { watchJobs } from '../../../../workers/jobs/queue/watch-jobs.ts';

/** A queue that runs one job at a time and ends it on demand. */
function testQueue() {
  let lastId = 0;
  const gates = new Map<string, { run: JobRun; finish: () => void; fail: (error: Error) => void }>();
  const queue = new JobQueue({
    limit: 1,
    now: () => new Date(1_795_000_000_000),
    ticks: () => 0,
    newId: () => `job-${++lastId}`,
    onFailed: () => undefined,
  });
  const add = (instanceId: string) =>
    queue.add({
      kind: 'backup',
      instanceId,
      queued: true,
      work(run) {
        const gate = Promise.withResolvers<void>();
        gates.set(run.jobId, { run, finish: gate.resolve, fail: gate.reject });
        return gate.promise;
      },
    });
  return { queue, add, gates };
}

/** Collects what a watcher yields, in order. */
function watcher(queue: JobQueue, signal = AbortSignal.timeout(120_000)) {
  const events = watchJobs(queue, signal);
  const next = async () => (await events.next()).value as JobEvent;
  const states = async (count: number) => {
    const seen: string[] = [];
    while (seen.length < count) {
      const event = await next();
      if (event.type === 'changed') seen.push(`${event.job.jobId} ${event.job.state}`);
    }
    return seen;
  };
  return { events, next, states };
}

t.test('a watcher gets all jobs, then each change of state', async (t) => {
  const { queue, add, gates } = testQueue();
  add('a');
  const { next, states } = watcher(queue);
  t.match(await next(), { type: 'snapshot', jobs: [{ jobId: 'job-1', state: 'running' }] });
  add('b');
  t.same(await states(1), ['job-2 queued']);
  gates.get('job-1')?.finish();
  t.same((await states(2)).sort(), ['job-1 done', 'job-2 running']);
  gates.get('job-2')?.fail(new Error('no'));
  t.same(await states(1), ['job-2 failed']);
});

t.test('a watcher gets progress while a job runs', async (t) => {
  const { queue, add, gates } = testQueue();
  const { next } = watcher(queue);
  await next();
  add('a');
  t.match(await next(), { job: { state: 'running', bytesDone: 0 } });
  gates.get('job-1')?.run.phase(100).progress.advance(40);
  t.match(await next(), { type: 'changed', job: { state: 'running', bytesDone: 40 } });
  gates.get('job-1')?.finish();
  t.match(await next(), { job: { state: 'done', percent: 100 } });
});

t.test('a slow watcher gets the newest state of each job, and its listener is removed', async (t) => {
  const { queue, add, gates } = testQueue();
  const leaving = new AbortController();
  const { events, next, states } = watcher(queue, leaving.signal);
  await next();
  for (const id of ['a', 'b', 'c']) add(id);
  for (const jobId of ['job-1', 'job-2', 'job-3']) {
    gates.get(jobId)?.finish();
    await queue.wait(jobId, new AbortController().signal);
    await new Promise(setImmediate);
  }
  t.same(await states(3), ['job-1 done', 'job-2 done', 'job-3 done']);
  const end = events.next();
  leaving.abort();
  t.equal((await end).done, true);
});
