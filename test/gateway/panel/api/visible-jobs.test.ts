import t from 'tap';
import { visibleJobs } from '../../../../gateway/panel/src/api/visible-jobs.ts';

type Job = Parameters<typeof visibleJobs>[0][number];

const MINUTE_MS = 60_000;
const BEGIN = Date.parse('2026-11-20T08:00:00Z');

/** By default a failed backup of `demo`, created this many minutes after eight o'clock. */
function job(minute: number, more: Partial<Job> = {}): Job {
  return {
    jobId: `job-${minute}`,
    kind: 'backup',
    instanceId: 'demo',
    state: 'failed',
    percent: 40,
    bytesDone: 40,
    bytesTotal: 100,
    createdAt: new Date(BEGIN + minute * MINUTE_MS).toISOString(),
    ...more,
  };
}

const shown = (jobs: Job[], dismissed: string[] = []) => visibleJobs(jobs, dismissed).map(({ jobId }) => jobId);

t.test('a failed job is shown until it is dismissed, however long ago it failed', (t) => {
  t.same(shown([job(1), job(2, { kind: 'restore' })]), ['job-2', 'job-1']);
  t.same(shown([job(1), job(2, { kind: 'restore' })], ['job-2']), ['job-1']);
  t.end();
});

t.test('an installation that failed shows as the failed start of its server only', (t) => {
  t.same(shown([job(1, { kind: 'provision' }), job(2, { kind: 'provision', state: 'running' })]), ['job-2']);
  t.end();
});

t.test('only the latest job of the same work counts, in whatever order they arrive', (t) => {
  t.same(shown([job(3), job(1), job(2)]), ['job-3']);
  t.same(shown([job(3), job(1)], ['job-3']), [], 'an earlier failure does not reappear');
  t.same(shown([job(1), job(2, { state: 'done' })]), [], 'hidden after a later success');
  t.same(shown([job(1), job(2, { state: 'running' })]), ['job-2'], 'hidden during a retry');
  t.end();
});

t.test('a job with another server, backup or store is other work', (t) => {
  const done = { state: 'done' } as const;
  t.same(shown([job(1), job(2, { ...done, instanceId: 'other' })]), ['job-1']);
  t.same(shown([job(1), job(2, { ...done, kind: 'verify' })]), ['job-1']);
  t.same(shown([job(1, { kind: 'verify', backupId: 'a' }), job(2, { ...done, kind: 'verify', backupId: 'b' })]), [
    'job-1',
  ]);
  const copy = { kind: 'replicate', store: 'nas', backupId: 'a' } as const;
  t.same(shown([job(1, copy), job(2, { ...copy, ...done, store: 'cloud' })]), ['job-1']);
  t.same(shown([job(1, copy), job(2, { ...copy, backupId: 'b' })]), ['job-2'], 'one failure is shown for all backups');
  t.end();
});

t.test('all active jobs are shown, cancelled and finished ones are not', (t) => {
  t.same(shown([job(1, { state: 'running' }), job(2, { state: 'queued' })]), ['job-2', 'job-1']);
  t.same(shown([job(1, { state: 'cancelled' }), job(2, { state: 'done', kind: 'restore' })]), []);
  t.end();
});
