import type { QueryClient } from '@tanstack/react-query';
import { backupsKey, filesKey, INSTANCES, JOBS, playersKey, schedulesKey, tunnelKey } from '../query-keys.ts';
import type { Backup, Instance, Job } from '../transport/client.ts';
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
let refresh: ReturnType<typeof setTimeout> | undefined;

/** Applies an event to the cache, or refetches data that the event does not contain. */
export function applyEvent(queries: QueryClient, { event, data }: Pick<StreamEvent, 'event' | 'data'>): void {
  HANDLERS[event](queries, data);
}

const HANDLERS: Record<EventType, (queries: QueryClient, data: unknown) => void> = {
  'instance.phase': (queries, data) => {
    const { instanceId, ...present } = data as Phase;
    changeInstance(
      queries,
      instanceId,
      ({ activity: _activity, pendingRestart: _changes, restartWhenEmpty: _waits, ...instance }) => ({
        ...instance,
        ...present,
      }),
    );
    // Stats, crashes and the actual version are not in the event.
    refreshInstances(queries);
  },
  'instance.removed': refreshInstances,
  usage: (queries, data) => {
    const { instanceId, ...stats } = data as Usage;
    const before = queries.getQueryData<Instance[]>(INSTANCES)?.find(({ id }) => id === instanceId);
    changeInstance(queries, instanceId, (instance) => ({ ...withoutStats(instance), ...stats }));
    // The player limit is known from the first player count on, and is not in the event.
    if (before && before.playersOnline === undefined && stats.playersOnline !== undefined) refreshInstances(queries);
  },
  'job.progress': (queries, data) => {
    const job = data as Job;
    queries.setQueryData<Job[]>(JOBS, (jobs = []) => [job, ...jobs.filter(({ jobId }) => jobId !== job.jobId)]);
    if (isActive(job)) return;
    if (job.state === 'done') publishFinishedJob(job);
    // A response on its way may still show the job as running, and no further event would correct that.
    void queries.invalidateQueries({ queryKey: JOBS });
    // A verification changes its backup, a restore backs up first, an import and a copy create a server.
    void queries.invalidateQueries({ queryKey: backupsKey(job.instanceId) });
    if (job.kind === 'archive' || job.kind === 'extract')
      void queries.invalidateQueries({ queryKey: filesKey(job.instanceId) });
    if (job.kind === 'import' || job.kind === 'clone') refreshInstances(queries);
  },
  'backup.done': (queries, data) => {
    const { instanceId } = data as Pick<Backup, 'instanceId'>;
    void queries.invalidateQueries({ queryKey: backupsKey(instanceId) });
  },
  'player.join': refreshPlayers,
  'player.leave': refreshPlayers,
  'tunnel.status': (queries, data) => {
    void queries.invalidateQueries({ queryKey: tunnelKey((data as OfInstance).instanceId) });
    // The list has the public address.
    refreshInstances(queries);
  },
  'schedule.run': (queries, data) =>
    void queries.invalidateQueries({ queryKey: schedulesKey((data as OfInstance).instanceId) }),
};

/** Marks the list as out of date, and fetches it once for all events that come together. */
function refreshInstances(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: INSTANCES, refetchType: 'none' });
  if (refresh !== undefined) return;
  refresh = setTimeout(() => {
    refresh = undefined;
    void queries.invalidateQueries({ queryKey: INSTANCES });
  }, TOGETHER_MS);
}

/** An event has all stats that are known: one that it lacks is no longer known. */
function withoutStats(instance: Instance): Instance {
  const { cpuPercent: _c, memoryUsedMb: _m, tickTimeMs: _t, tps: _s, playersOnline: _p, ...rest } = instance;
  return rest;
}

function refreshPlayers(queries: QueryClient, data: unknown): void {
  void queries.invalidateQueries({ queryKey: playersKey((data as OfInstance).instanceId) });
}

function changeInstance(queries: QueryClient, id: string, change: (instance: Instance) => Instance): void {
  queries.setQueryData<Instance[]>(INSTANCES, (instances) =>
    instances?.map((instance) => (instance.id === id ? change(instance) : instance)),
  );
}
