import t from 'tap';
import { createJobEvents } from '../../../../gateway/services/events/job-events.ts';
import type { JobEvent } from '../../../../gateway/upstream/passive-jobs.ts';
import type { Job } from '../../../../shared/schema/job.ts';

const NOW = Date.parse('2026-11-20T08:00:00.000Z');

function jobOf(jobId: string, parts: Partial<Job> = {}): Job {
  return {
    jobId,
    kind: 'backup',
    instanceId: 'demo',
    state: 'running',
    percent: 0,
    bytesDone: 0,
    bytesTotal: 10,
    createdAt: '2026-11-20T07:00:00.000Z',
    ...parts,
  };
}

function followed() {
  const told: string[] = [];
  let send: (event: JobEvent) => void = () => undefined;
  const events = createJobEvents({
    jobs: {
      watch(onEvent) {
        send = onEvent;
        return () => undefined;
      },
    },
    onChange: ({ jobId, state, error }, isNews) =>
      told.push([jobId, state, isNews ? 'news' : 'progress', error?.code].filter(Boolean).join(' ')),
    now: () => NOW,
  });
  const active = () => Array.from(events.active(), ({ jobId }) => jobId);
  return { told, active, send: (event: JobEvent) => send(event) };
}

t.test('active jobs are reported at first, jobs that ended long ago are not', (t) => {
  const { told, active, send } = followed();
  send({
    type: 'snapshot',
    jobs: [
      jobOf('old', { state: 'done', endedAt: '2026-11-20T07:59:59.000Z' }),
      jobOf('just-ended', { state: 'done', endedAt: '2026-11-20T08:00:01.000Z' }),
      jobOf('active'),
    ],
  });
  t.same(told, ['just-ended done news', 'active running news']);
  t.same(active(), ['active']);
  send({ type: 'changed', job: jobOf('active', { percent: 50 }) });
  send({ type: 'changed', job: jobOf('active', { state: 'done', endedAt: '2026-11-20T08:00:02.000Z' }) });
  t.same(told.slice(2), ['active running progress', 'active done news']);
  t.same(active(), []);
  t.end();
});

t.test('jobs that ended meanwhile are reported, and lost jobs count as failed', (t) => {
  const { told, active, send } = followed();
  send({ type: 'snapshot', jobs: [jobOf('ends'), jobOf('goes-on')] });
  send({
    type: 'snapshot',
    jobs: [jobOf('ends', { state: 'done', endedAt: '2026-11-20T08:00:02.000Z' }), jobOf('goes-on')],
  });
  t.same(told.slice(2), ['ends done news', 'goes-on running progress']);
  send({ type: 'snapshot', jobs: [] });
  t.same(told.slice(4), ['goes-on failed news worker_unavailable']);
  t.same(active(), []);
  t.end();
});
