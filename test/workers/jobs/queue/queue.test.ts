import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { JobRun } from '../../../../workers/jobs/queue/job-entry.ts';
import { JobQueue, nextJob } from '../../../../workers/jobs/queue/queue.ts';

const NEVER = new AbortController().signal;

/** A queue whose jobs end on demand. `began` lists them in the order of their starts. */
function testQueue(limit: number) {
  let lastId = 0;
  const clock = { ms: 0 };
  const began: string[] = [];
  const failures: unknown[] = [];
  const gates = new Map<string, { run: JobRun; finish: () => void; fail: (error: unknown) => void }>();
  const queue = new JobQueue({
    limit,
    now: () => new Date(1_795_000_000_000),
    ticks: () => clock.ms,
    newId: () => `job-${++lastId}`,
    onFailed: (_, error) => failures.push(error),
  });
  const add = (instanceId: string, more: { queued?: boolean; creates?: string } = {}) =>
    queue.add({
      kind: 'backup',
      instanceId,
      queued: true,
      ...more,
      work: (run) => {
        began.push(`${instanceId} ${run.jobId}`);
        const gate = Promise.withResolvers<void>();
        run.signal.addEventListener('abort', () => gate.reject(run.signal.reason));
        gates.set(run.jobId, { run, finish: gate.resolve, fail: gate.reject });
        return gate.promise;
      },
    }).jobId;
  const finish = async (jobId: string) => {
    gates.get(jobId)!.finish();
    await queue.wait(jobId, NEVER);
    await turn();
  };
  return { queue, add, began, gates, finish, failures, clock };
}

t.test('no more jobs run than the limit allows, and a higher limit starts more', async (t) => {
  const { queue, add, finish } = testQueue(1);
  const running = () =>
    queue
      .all()
      .filter(({ state }) => state === 'running')
      .map(({ jobId }) => jobId);
  const [a, b, c] = [add('a'), add('b'), add('c')];
  t.same(running(), [a]);
  await finish(a);
  t.same(running(), [b]);
  queue.limit = 2;
  t.same(running(), [b, c], 'starts at once');
  const d = add('d');
  await finish(c);
  t.same(running(), [b, d]);
});

t.test('instances take turns, however many jobs one of them has', async (t) => {
  const { add, began, finish } = testQueue(1);
  const a = [add('a'), add('a'), add('a')];
  const b = [add('b'), add('b')];
  for (const jobId of [a[0]!, b[0]!, a[1]!, b[1]!, a[2]!]) await finish(jobId);
  t.same(
    began.map((line) => line[0]),
    ['a', 'b', 'a', 'b', 'a'],
  );
});

t.test('two jobs of one instance never run at once', async (t) => {
  const { add, began, finish } = testQueue(4);
  const first = add('a');
  add('a');
  add('b');
  t.same(
    began.map((line) => line[0]),
    ['a', 'b'],
  );
  await finish(first);
  t.same(
    began.map((line) => line[0]),
    ['a', 'b', 'a'],
  );
});

t.test('the instance that has waited longest is next', async (t) => {
  const lastTurn = (id: string) => ({ a: 3, b: 1, c: 2 })[id] ?? 0;
  const waiting = ['a', 'b', 'c'].map((instanceId) => ({ instanceId, kind: 'drill' as const }));
  t.equal(nextJob({ waiting, busy: new Set(), lastTurn })?.instanceId, 'b');
  t.equal(nextJob({ waiting, busy: new Set(['b']), lastTurn })?.instanceId, 'c');
  t.equal(nextJob({ waiting: [], busy: new Set(), lastTurn }), undefined);
});

t.test('a backup or restore does not wait for other jobs of its instance, but for the turn of other instances', (t) => {
  const job = (instanceId: string, kind: 'drill' | 'verify' | 'backup' | 'restore') => ({ instanceId, kind });
  const lastTurn = (id: string) => ({ a: 2, b: 1 })[id] ?? 0;
  const waiting = [job('a', 'drill'), job('a', 'verify'), job('a', 'backup'), job('b', 'drill'), job('b', 'restore')];
  t.same(nextJob({ waiting, busy: new Set(), lastTurn }), job('b', 'restore'));
  t.same(nextJob({ waiting, busy: new Set(['b']), lastTurn }), job('a', 'backup'));
  t.end();
});

t.test('a job that need not queue starts at once', async (t) => {
  const { add, began } = testQueue(1);
  add('a');
  add('a', { queued: false });
  t.equal(began.length, 2);
});

t.test('a cancelled job does not start if it is queued, and gets a signal if it runs', async (t) => {
  const { queue, add, began } = testQueue(1);
  const running = add('a');
  const queued = add('b');
  queue.cancel(queued);
  t.match(queue.find(queued), { state: 'cancelled', endedAt: String });
  await t.rejects(queue.wait(queued, NEVER), { code: 'invalid_state', message: 'The job was cancelled.' });
  queue.cancel(running);
  await t.rejects(queue.wait(running, NEVER), { code: 'invalid_state' });
  t.match(queue.find(running), { state: 'cancelled' });
  t.notHas(queue.find(running), { error: Object });
  t.equal(began.length, 1);
  queue.cancel(running);
  t.throws(() => queue.cancel('nothing'), { code: 'job_not_found' });
});

t.test('a failure is shown with its code and thrown to all who wait', async (t) => {
  const { queue, add, gates, failures } = testQueue(2);
  const known = add('a');
  const unknown = add('b');
  gates.get(known)!.fail(new GamekeeperError('insufficient_storage', 'Too small.'));
  gates.get(unknown)!.fail(new Error('secret detail'));
  await t.rejects(queue.wait(known, NEVER), { code: 'insufficient_storage' });
  t.match(queue.find(known), { state: 'failed', error: { code: 'insufficient_storage', detail: 'Too small.' } });
  await t.rejects(queue.wait(unknown, NEVER), { message: 'secret detail' });
  t.same(queue.find(unknown)?.error, { code: 'internal_error', detail: 'An internal error occurred.' });
  t.equal(failures.length, 2);
});

t.test('a caller can stop waiting, and the job continues', async (t) => {
  const { queue, add } = testQueue(1);
  const jobId = add('a');
  const controller = new AbortController();
  const waiting = queue.wait(jobId, controller.signal);
  controller.abort(new Error('gone'));
  await t.rejects(waiting, { message: 'gone' });
  t.equal(queue.find(jobId)?.state, 'running');
});

t.test('progress is what the work counts, and 100 only at the end', async (t) => {
  const { queue, add, gates, finish } = testQueue(1);
  const jobId = add('a');
  const { progress } = gates.get(jobId)!.run.phase(0);
  t.match(queue.find(jobId), { percent: 0, bytesDone: 0, bytesTotal: 0 });
  progress.expect(300);
  progress.advance(100);
  t.match(queue.find(jobId), { percent: 33.3, bytesDone: 100, bytesTotal: 300 });
  progress.advance(250);
  t.match(queue.find(jobId), { percent: 99.9, bytesDone: 350, bytesTotal: 350 });
  await finish(jobId);
  t.match(queue.find(jobId), { percent: 100, state: 'done' });
});

t.test('phases add up from the beginning, and the percentage never goes back', async (t) => {
  const { queue, add, gates } = testQueue(1);
  const jobId = add('a');
  const { run } = gates.get(jobId)!;
  const first = run.phase(100);
  const second = run.phase(300);
  t.match(queue.find(jobId), { percent: 0, bytesTotal: 400 });
  first.progress.expect(100);
  first.progress.advance(100);
  t.match(queue.find(jobId), { percent: 25, bytesTotal: 400 });
  second.progress.expect(900);
  t.match(queue.find(jobId), { percent: 25, bytesDone: 100, bytesTotal: 1000 });
  second.progress.advance(500);
  t.match(queue.find(jobId), { percent: 60 });
  second.end();
  t.match(queue.find(jobId), { percent: 99.9, bytesTotal: 600 }, 'bytes that were not needed do not count');
});

t.test('a running job shows a smoothed rate and the time left', async (t) => {
  const { queue, add, gates, clock, finish } = testQueue(1);
  const jobId = add('a');
  const { progress } = gates.get(jobId)!.run.phase(100_000);
  t.notHas(queue.find(jobId), { bytesPerSecond: Number }, 'no rate is known yet');
  clock.ms = 1_000;
  progress.advance(10_000);
  t.match(queue.find(jobId), { bytesPerSecond: 10_000, remainingSeconds: 9 });
  t.match(queue.find(jobId), { bytesPerSecond: 10_000 }, 'a second look changes nothing');
  clock.ms = 2_000;
  progress.advance(20_000);
  const faster = queue.find(jobId)!.bytesPerSecond!;
  t.ok(faster > 10_000 && faster < 13_000, `${faster} is between 10000 and 20000`);
  clock.ms = 60_000;
  const stalled = queue.find(jobId)!;
  t.ok(stalled.bytesPerSecond! < 10, 'the rate drops after a minute without bytes');
  await finish(jobId);
  t.notHas(queue.find(jobId), { bytesPerSecond: Number });
});

t.test('ended jobs are remembered up to a limit', async (t) => {
  const { queue, add, finish } = testQueue(1);
  const first = add('a');
  await finish(first);
  for (let n = 0; n < 200; n++) await finish(add('a'));
  t.equal(queue.all().length, 200);
  t.equal(queue.find(first), null);
});

t.test('an ended job keeps its numbers, and nothing that counts', async (t) => {
  const { queue, add, finish, gates } = testQueue(1);
  const job = add('survival');
  const phases = Array.from({ length: 3 }, () => gates.get(job)!.run.phase(10));
  phases[0]!.progress.advance(4);
  await finish(job);
  phases[1]!.progress.advance(4);
  t.match(queue.find(job), { bytesDone: 4, bytesTotal: 30 });
});

t.test('an id that a job will create is claimed until the job has ended', async (t) => {
  const { queue, add, finish } = testQueue(1);
  const running = add('survival', { creates: 'copy' });
  add('survival', { creates: 'second' });
  t.same([queue.isClaimed('copy'), queue.isClaimed('second'), queue.isClaimed('survival')], [true, true, false]);
  await finish(running);
  t.same([queue.isClaimed('copy'), queue.isClaimed('second')], [false, true]);
});

t.test('closing cancels all jobs and waits for them', async (t) => {
  const { queue, add } = testQueue(1);
  add('a');
  add('b');
  await queue.close();
  t.same(
    queue.all().map(({ state }) => state),
    ['cancelled', 'cancelled'],
  );
});
