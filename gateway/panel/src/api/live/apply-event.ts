import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { backupsKey, filesKey, INSTANCES, JOBS, playersKey, schedulesKey, tunnelKey } from '../query-keys.ts';
import type { Instance, Job } from '../transport/client.ts';
import { isActive } from '../visible-jobs.ts';
import type { EventType, StreamEvent } from './event-stream.ts';
import { publishFinishedJob } from './finished-jobs.ts';

/** What the event lacks does not apply any more. */
type Phase = Pick<Instance, 'status' | 'phase' | 'activity' | 'pendingRestart' | 'restartWhenEmpty'> & OfInstance;
type Stats = Pick<Instance, 'cpuPercent' | 'memoryUsedMb' | 'tickTimeMs' | 'tps' | 'playersOnline'>;
type Usage = Stats & { instanceId: string };
type OfInstance = { instanceId: string };

/** A stream begins with an event for every server. Milliseconds. */
const TOGETHER_MS = 50;
let planned: ReturnType<typeof setTimeout> | undefined;

/** Applies events to the cache, the oldest first, or refetches data that they do not contain. What shows the list renders once for all of them. */
export function applyEvents(queries: QueryClient, events: readonly Pick<StreamEvent, 'event' | 'data'>[]): void {
  const before = queries.getQueryData<Instance[]>(INSTANCES);
  const after = before && events.reduce(changedBy, before);
  notifyManager.batch(() => {
    if (after !== before) queries.setQueryData(INSTANCES, after);
    for (const { event, data } of events) HANDLERS[event](queries, data, before);
  });
}

/** What an event says of its server. */
const CHANGES: Partial<Record<EventType, (instance: Instance, present: Partial<Instance>) => Instance>> = {
  'instance.phase': (
    { activity: _activity, pendingRestart: _changes, restartWhenEmpty: _waits, ...instance },
    present,
  ) => ({ ...instance, ...present }),
  usage: (instance, stats) => ({ ...withoutStats(instance), ...stats }),
};

function changedBy(instances: Instance[], { event, data }: Pick<StreamEvent, 'event' | 'data'>): Instance[] {
  const change = CHANGES[event];
  if (!change) return instances;
  const { instanceId, ...present } = data as Phase | Usage;
  return instances.map((instance) => (instance.id === instanceId ? change(instance, present) : instance));
}

type Handler = (queries: QueryClient, data: unknown, before: readonly Instance[] | undefined) => void;

const HANDLERS: Record<EventType, Handler> = {
  // Stats, crashes and the actual version are not in the event.
  'instance.phase': refreshInstances,
  'instance.removed': refreshInstances,
  usage: (queries, data, before) => {
    const { instanceId, playersOnline } = data as Usage;
    const known = before?.find(({ id }) => id === instanceId);
    // The player limit is known from the first player count on, and is not in the event.
    if (known && known.playersOnline === undefined && playersOnline !== undefined) refreshInstances(queries);
  },
  'job.progress': (queries, data) => {
    const job = data as Job;
    queries.setQueryData<Job[]>(JOBS, (jobs = []) => [job, ...jobs.filter(({ jobId }) => jobId !== job.jobId)]);
    if (isActive(job)) return;
    if (job.state === 'done') publishFinishedJob(job);
    // A response on its way may still show the job as running, and no further event would correct that.
    void refresh(queries, JOBS);
    // A verification changes its backup, a restore backs up first, an import and a copy create a server.
    void refresh(queries, backupsKey(job.instanceId));
    if (job.kind === 'archive' || job.kind === 'extract') void refresh(queries, filesKey(job.instanceId));
    if (job.kind === 'import' || job.kind === 'clone') refreshInstances(queries);
  },
  'backup.done': refreshOwn(backupsKey),
  'player.join': refreshOwn(playersKey),
  'player.leave': refreshOwn(playersKey),
  'tunnel.status': (queries, data) => {
    refreshOwn(tunnelKey)(queries, data);
    // The list has the public address.
    refreshInstances(queries);
  },
  'schedule.run': refreshOwn(schedulesKey),
};

/** Marks the list as out of date, and fetches it once for all events that come together. */
function refreshInstances(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: INSTANCES, refetchType: 'none' });
  if (planned !== undefined) return;
  planned = setTimeout(() => {
    planned = undefined;
    void refresh(queries, INSTANCES);
  }, TOGETHER_MS);
}

/** An event has all stats that are known: one that it lacks is no longer known. */
function withoutStats(instance: Instance): Instance {
  const { cpuPercent: _c, memoryUsedMb: _m, tickTimeMs: _t, tps: _s, playersOnline: _p, ...rest } = instance;
  return rest;
}

/** Refetches what belongs to the server of an event. */
function refreshOwn(key: (instanceId: string) => string[]) {
  return (queries: QueryClient, data: unknown) => void refresh(queries, key((data as OfInstance).instanceId));
}

/**
 * Refetches data. If the first answer is still on its way, it may be from before the event, and TanStack Query would keep it: asks again once
 * it is there.
 */
async function refresh(queries: QueryClient, queryKey: string[]): Promise<void> {
  const awaitsFirst = queries.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  await queries.invalidateQueries({ queryKey });
  if (awaitsFirst) await queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
}
