import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { backupsKey } from '../backups.ts';
import { INSTANCES } from '../instances.ts';
import { JOBS } from '../jobs.ts';
import { playersKey } from '../players.ts';
import { schedulesKey } from '../schedules.ts';
import { checkSession } from '../session.ts';
import type { Backup, Instance, Job } from '../transport/client.ts';
import { queryClient } from '../transport/query-client.ts';
import { isUnderWay } from '../visible-jobs.ts';
import { setConnection } from './connection.ts';
import { type EventMessage, type EventType, openEvents } from './event-stream.ts';
import { tellFinished } from './finished-jobs.ts';

/** Keeps what the panel knows up to date while it is open: events change it in place, nothing is polled. */
export function useLiveUpdates(): void {
  useEffect(() => follow(receive), []);
}

/** A browser keeps pages that are left, for Back (bfcache): a kept page hears nothing, and one that comes back has to ask anew. */
function follow(tell: (message: EventMessage) => void): () => void {
  let stop = listen(tell);
  const leave = () => stop();
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) stop = listen(tell);
  };
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', comeBack);
  return () => {
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', comeBack);
    stop();
  };
}

/** All tabs share one stream where the browser can (not on every phone). */
function listen(tell: (message: EventMessage) => void): () => void {
  if (typeof SharedWorker === 'undefined') return openEvents(tell);
  const { port } = new SharedWorker(new URL('./event-worker.ts', import.meta.url), { type: 'module', name: 'events' });
  port.onmessage = ({ data }: MessageEvent<EventMessage>) => tell(data);
  port.postMessage('hello');
  return () => {
    port.postMessage('bye');
    port.onmessage = null;
  };
}

function receive(message: EventMessage): void {
  if (message.type === 'event') APPLY[message.event](queryClient, message.data);
  else {
    setConnection(message.type === 'refused' ? 'lost' : message.type);
    if (message.type === 'refused') checkSession(queryClient);
    // What happened while nobody listened may be more than the daemon remembers.
    if (message.type === 'open') void queryClient.invalidateQueries();
  }
}

type Phase = Pick<Instance, 'status' | 'phase' | 'activity'> & { instanceId: string };
type Stats = Pick<Instance, 'cpuPercent' | 'memoryUsedMb' | 'tickTimeMs' | 'tps' | 'playersOnline'>;
type Usage = Stats & { instanceId: string };
type OfInstance = { instanceId: string };

const APPLY: Record<EventType, (queries: QueryClient, data: unknown) => void> = {
  'instance.phase': (queries, data) => {
    const { instanceId, activity, ...rest } = data as Phase;
    change(queries, instanceId, ({ activity: _before, ...instance }) => ({
      ...instance,
      ...rest,
      ...(activity !== undefined && { activity }),
    }));
    // Stats, crashes and the real version come with the instance itself.
    void queries.invalidateQueries({ queryKey: INSTANCES });
  },
  'instance.removed': (queries) => void queries.invalidateQueries({ queryKey: INSTANCES }),
  usage: (queries, data) => {
    const { instanceId, ...stats } = data as Usage;
    const before = queries.getQueryData<Instance[]>(INSTANCES)?.find(({ id }) => id === instanceId);
    change(queries, instanceId, (instance) => ({ ...withoutStats(instance), ...stats }));
    // How many may play comes with the first count of those who do, and not in events.
    if (before && before.playersOnline === undefined && stats.playersOnline !== undefined)
      void queries.invalidateQueries({ queryKey: INSTANCES });
  },
  'job.progress': (queries, data) => {
    const job = data as Job;
    queries.setQueryData<Job[]>(JOBS, (jobs = []) => [job, ...jobs.filter(({ jobId }) => jobId !== job.jobId)]);
    if (isUnderWay(job)) return;
    if (job.state === 'done') tellFinished(job);
    // An answer that is older than this, but under way still, would bring the work back, and no other event would end it.
    void queries.invalidateQueries({ queryKey: JOBS });
    // A check leaves its outcome with the backup, a restore the backup that it made first; an import and a copy leave a server.
    void queries.invalidateQueries({ queryKey: backupsKey(job.instanceId) });
    if (job.kind === 'import' || job.kind === 'clone') void queries.invalidateQueries({ queryKey: INSTANCES });
  },
  'backup.done': (queries, data) => {
    const { instanceId } = data as Pick<Backup, 'instanceId'>;
    void queries.invalidateQueries({ queryKey: backupsKey(instanceId) });
  },
  'player.join': refreshPlayers,
  'player.leave': refreshPlayers,
  'schedule.run': (queries, data) =>
    void queries.invalidateQueries({ queryKey: schedulesKey((data as OfInstance).instanceId) }),
};

/** An event tells all that is known: what it does not name is known no longer. */
function withoutStats(instance: Instance): Instance {
  const { cpuPercent: _c, memoryUsedMb: _m, tickTimeMs: _t, tps: _s, playersOnline: _p, ...rest } = instance;
  return rest;
}

function refreshPlayers(queries: QueryClient, data: unknown): void {
  void queries.invalidateQueries({ queryKey: playersKey((data as OfInstance).instanceId) });
}

function change(queries: QueryClient, id: string, apply: (instance: Instance) => Instance): void {
  queries.setQueryData<Instance[]>(INSTANCES, (instances) =>
    instances?.map((instance) => (instance.id === id ? apply(instance) : instance)),
  );
}
