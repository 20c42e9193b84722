import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Backup, Instance, Job } from './client.ts';
import { setConnection } from './connection.ts';
import { type EventMessage, type EventType, openEvents } from './event-stream.ts';
import { INSTANCES } from './instances.ts';
import { isUnderWay, JOBS } from './jobs.ts';
import { queryClient } from './query-client.ts';

/** Keeps what the panel knows up to date while it is open: events change it in place, nothing is polled. */
export function useLiveUpdates(): void {
  useEffect(() => follow(receive), []);
}

/** All tabs share one stream where the browser can (not on every phone). */
function follow(tell: (message: EventMessage) => void): () => void {
  if (typeof SharedWorker === 'undefined') return openEvents(tell);
  const worker = new SharedWorker(new URL('./event-worker.ts', import.meta.url), { type: 'module', name: 'events' });
  worker.port.onmessage = ({ data }: MessageEvent<EventMessage>) => tell(data);
  worker.port.postMessage('hello');
  const leave = () => worker.port.postMessage('bye');
  window.addEventListener('pagehide', leave);
  return () => {
    window.removeEventListener('pagehide', leave);
    leave();
  };
}

function receive(message: EventMessage): void {
  if (message.type === 'event') APPLY[message.event](queryClient, message.data);
  else if (message.type === 'refused') void queryClient.invalidateQueries({ queryKey: ['session'] });
  else {
    setConnection(message.type === 'open' ? 'open' : message.type);
    // What happened while nobody listened may be more than the daemon remembers.
    if (message.type === 'open') void queryClient.invalidateQueries();
  }
}

type Phase = Pick<Instance, 'status' | 'phase' | 'activity'> & { instanceId: string };
type Usage = Pick<Instance, 'cpuPercent' | 'memoryUsedMb' | 'playersOnline'> & { instanceId: string };
type OfInstance = { instanceId: string };

const APPLY: Record<EventType, (queries: QueryClient, data: unknown) => void> = {
  'instance.phase': (queries, data) => {
    const { instanceId, activity, ...rest } = data as Phase;
    change(queries, instanceId, ({ activity: _before, ...instance }) => ({
      ...instance,
      ...rest,
      ...(activity !== undefined && { activity }),
    }));
    // Figures, crashes and the real version come with the instance itself.
    void queries.invalidateQueries({ queryKey: INSTANCES });
  },
  'instance.removed': (queries) => void queries.invalidateQueries({ queryKey: INSTANCES }),
  usage: (queries, data) => {
    const { instanceId, ...figures } = data as Usage;
    change(queries, instanceId, (instance) => ({ ...instance, ...figures }));
  },
  'job.progress': (queries, data) => {
    const job = data as Job;
    queries.setQueryData<Job[]>(JOBS, (jobs = []) => [job, ...jobs.filter(({ jobId }) => jobId !== job.jobId)]);
    // A check leaves its outcome with the backup, a restore the backup that it made first.
    if (!isUnderWay(job)) void queries.invalidateQueries({ queryKey: ['backups', job.instanceId] });
  },
  'backup.done': (queries, data) => {
    const { instanceId } = data as Pick<Backup, 'instanceId'>;
    void queries.invalidateQueries({ queryKey: ['backups', instanceId] });
  },
  'player.join': refreshPlayers,
  'player.leave': refreshPlayers,
  'schedule.run': (queries, data) =>
    void queries.invalidateQueries({ queryKey: ['schedules', (data as OfInstance).instanceId] }),
};

function refreshPlayers(queries: QueryClient, data: unknown): void {
  void queries.invalidateQueries({ queryKey: ['players', (data as OfInstance).instanceId] });
}

function change(queries: QueryClient, id: string, apply: (instance: Instance) => Instance): void {
  queries.setQueryData<Instance[]>(INSTANCES, (instances) =>
    instances?.map((instance) => (instance.id === id ? apply(instance) : instance)),
  );
}
