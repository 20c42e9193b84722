import { createRequire } from 'node:module';
import path from 'node:path';
import t from 'tap';
import { applyEvents } from '../../../../../gateway/panel/src/api/live/apply-event.ts';
import type { EventType } from '../../../../../gateway/panel/src/api/live/event-stream.ts';
import { onFinishedJob } from '../../../../../gateway/panel/src/api/live/finished-jobs.ts';
import {
  backupsKey,
  INSTANCES,
  JOBS,
  playersKey,
  schedulesKey,
  tunnelKey,
} from '../../../../../gateway/panel/src/api/query-keys.ts';
import { until } from '../../../../support/machine/until.ts';

/** What a page does that shows a list. The panel has its own copy of the library. */
declare class Watching {
  constructor(queries: object, options: { queryKey: string[]; queryFn: () => Promise<string> });
  subscribe(onChange: () => void): () => void;
  getCurrentResult(): { data?: string };
}

const panel = createRequire(path.join(import.meta.dirname, '../../../../../gateway/panel/package.json'));
const { QueryObserver }: { QueryObserver: typeof Watching } = panel('@tanstack/react-query');

type Entry = Record<string, unknown>;

const DEMO = { id: 'demo', name: 'Demo', status: 'running', phase: 'running', cpuPercent: 10, playersOnline: 1 };
const OTHER = { id: 'other', name: 'Other', status: 'stopped', phase: 'stopped' };
const JOB = { jobId: 'j1', kind: 'backup', instanceId: 'demo', state: 'running', percent: 10 };

t.intercept(globalThis, 'window', { value: { location: { origin: 'http://panel.example' } }, configurable: true });
const { queryClient: queries } = await import('../../../../../gateway/panel/src/api/transport/query-client.ts');
t.teardown(() => queries.clear());

/** The panel's cache with two servers, one job and empty lists. */
function cache() {
  queries.clear();
  queries.setQueryData(INSTANCES, [DEMO, OTHER]);
  queries.setQueryData(JOBS, [JOB]);
  for (const key of [
    backupsKey('demo'),
    playersKey('demo'),
    schedulesKey('demo'),
    tunnelKey('demo'),
    backupsKey('other'),
  ])
    queries.setQueryData(key, []);
  return {
    apply: (event: EventType, data: object) => applyEvents(queries, [{ event, data }]),
    list: (key: string[]) => queries.getQueryData<Entry[]>(key) ?? [],
    /** Whether a list will be fetched again. */
    isStale: (key: string[]) => queries.getQueryState(key)?.isInvalidated,
  };
}

/** How many of the captured invalidations also fetch. */
const fetches = (invalidations: { args: Parameters<typeof queries.invalidateQueries> }[]) =>
  invalidations.filter(({ args: [filters] }) => filters?.refetchType !== 'none').length;

t.test('phases that come together, as at the start of a stream, fetch the list once', async (t) => {
  const { apply } = cache();
  const invalidated = t.capture(queries, 'invalidateQueries');
  for (let n = 0; n < 50; n++) apply('instance.phase', { instanceId: 'demo', status: 'running', phase: 'running' });
  t.equal(await until('it is fetched', () => fetches(invalidated()) || undefined), 1);
});

t.test('events that come together change the list once, in their order', (t) => {
  cache();
  let changes = 0;
  const stop = queries.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === JSON.stringify(INSTANCES)) changes++;
  });
  const phase = (instanceId: string, name: string) =>
    ({ event: 'instance.phase', data: { instanceId, status: 'running', phase: name } }) as const;
  const usage = { event: 'usage', data: { instanceId: 'other', cpuPercent: 3 } } as const;
  applyEvents(queries, [phase('demo', 'stopping'), phase('other', 'starting'), usage, phase('other', 'running')]);
  stop();
  t.match(queries.getQueryData(INSTANCES), [
    { id: 'demo', phase: 'stopping' },
    { id: 'other', phase: 'running', cpuPercent: 3 },
  ]);
  t.equal(changes, 2, 'changed, and marked to be fetched again');
  t.end();
});

t.test('a tunnel that begins or ends to work changes the public address in the list', async (t) => {
  const { apply, isStale } = cache();
  apply('tunnel.status', { instanceId: 'demo', state: 'up' });
  t.ok(isStale(INSTANCES as string[]));
});

t.test('a phase changes its own server, and the list is fetched again for what the event lacks', (t) => {
  const { apply, list, isStale } = cache();
  const pending = { pendingRestart: [{ setting: 'port', running: '1', configured: '2' }], restartWhenEmpty: true };
  const activity = 'backing-up';
  apply('instance.phase', { instanceId: 'demo', status: 'running', phase: 'running', activity, ...pending });
  t.match(list(INSTANCES), [{ name: 'Demo', phase: 'running', activity, ...pending }, OTHER]);
  t.ok(isStale(INSTANCES));
  apply('instance.phase', { instanceId: 'demo', status: 'stopped', phase: 'stopped' });
  for (const ended of ['activity', 'pendingRestart', 'restartWhenEmpty', 'instanceId'])
    t.notOk(ended in (list(INSTANCES)[0] ?? {}), `${ended} is removed`);
  t.end();
});

t.test('stats replace all stats: one that an event lacks is no longer known', (t) => {
  const { apply, list, isStale } = cache();
  apply('usage', { instanceId: 'demo', memoryUsedMb: 512, playersOnline: 2 });
  t.match(list(INSTANCES)[0], { name: 'Demo', memoryUsedMb: 512, playersOnline: 2 });
  t.notOk('cpuPercent' in (list(INSTANCES)[0] ?? {}));
  t.notOk(isStale(INSTANCES), 'nothing is fetched for stats alone');
  t.end();
});

t.test('the first player count fetches the list, which has the player limit', (t) => {
  const { apply, isStale } = cache();
  apply('usage', { instanceId: 'other', cpuPercent: 5 });
  t.notOk(isStale(INSTANCES));
  apply('usage', { instanceId: 'other', cpuPercent: 5, playersOnline: 0 });
  t.ok(isStale(INSTANCES));
  t.end();
});

t.test('progress changes a known job and adds a new one', (t) => {
  const { apply, list, isStale } = cache();
  apply('job.progress', { ...JOB, percent: 50 });
  apply('job.progress', { ...JOB, jobId: 'j2' });
  t.match(list(JOBS), [{ jobId: 'j2' }, { jobId: 'j1', percent: 50 }]);
  t.equal(list(JOBS).length, 2);
  t.notOk(isStale(JOBS) || isStale(backupsKey('demo')));
  t.end();
});

t.test('the end of a job refreshes what it may have changed', (t) => {
  const finished: string[] = [];
  t.teardown(onFinishedJob(({ jobId }) => finished.push(jobId)));
  const { apply, isStale } = cache();
  apply('job.progress', { ...JOB, state: 'failed' });
  t.ok(isStale(JOBS), 'a late response must not bring the job back');
  t.ok(isStale(backupsKey('demo')));
  t.notOk(isStale(backupsKey('other')));
  t.notOk(isStale(INSTANCES));
  t.same(finished, [], 'a failure is not reported as finished');
  apply('job.progress', { ...JOB, kind: 'clone', state: 'done' });
  t.same(finished, ['j1']);
  t.ok(isStale(INSTANCES), 'a copy adds a server to the list');
  t.end();
});

const LISTS: [EventType, string[]][] = [
  ['backup.done', backupsKey('demo')],
  ['player.join', playersKey('demo')],
  ['player.leave', playersKey('demo')],
  ['schedule.run', schedulesKey('demo')],
  ['tunnel.status', tunnelKey('demo')],
  ['instance.removed', INSTANCES],
];

t.test('other events refresh the list that they are about', (t) => {
  for (const [event, key] of LISTS) {
    const { apply, isStale } = cache();
    t.notOk(isStale(key), `before ${event}`);
    apply(event, { instanceId: 'demo' });
    t.ok(isStale(key), event);
  }
  t.end();
});

t.test('a first answer from before an event is not kept', async (t) => {
  const finished: [EventType, string[]] = ['job.progress', backupsKey('demo')];
  for (const [event, queryKey] of [...LISTS, finished]) {
    queries.clear();
    const invalidated = t.capture(queries, 'invalidateQueries', queries.invalidateQueries);
    const answers: ((answer: string) => void)[] = [];
    const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
    const watching = new QueryObserver(queries, { queryKey, queryFn });
    const stop = watching.subscribe(() => {});
    applyEvents(queries, [{ event, data: { ...JOB, state: 'failed' } }]);
    await until(`${event} is applied`, () => fetches(invalidated()) > 0);
    t.equal(answers.length, 1, `${event} does not delay it`);
    answers[0]?.('before');
    const second = await until(`${event} asks again`, () => answers[1]);
    second('after');
    await until(`${event} shows it`, () => watching.getCurrentResult().data === 'after');
    stop();
  }
});
