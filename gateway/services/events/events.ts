import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { Identity } from '../../auth/identity.ts';
import type { InstanceView } from '../../upstream/instance-view.ts';
import type { PassiveJobs } from '../../upstream/passive-jobs.ts';
import { type AboutInstance, createEventLog, eventText, type LoggedEvent } from './event-log.ts';
import { eventsOf, eventsOfPresent } from './instance-events.ts';
import { createJobEvents } from './job-events.ts';

/** Events as texts of Server-Sent Events. */
export interface EventsService {
  /**
   * Returns the first part of a stream: the events after `lastId`, or the present state if `lastId` is absent or too old. Contains only
   * events of instances that the reader can see.
   */
  catchUp(lastId: string | undefined, sees: (instanceId: string) => boolean): string;
  /** Calls `listener` with each event and its instance. Returns a function that unsubscribes. */
  onEvent(listener: (text: string, instanceId: string) => void): () => void;
  /** Counts an open stream. Throws `rate_limited` if the credential or user has too many. Returns a function that releases it. */
  enter(by: Pick<Identity, 'kind' | 'credential' | 'username'>): () => void;
  readonly streams: number;
  close(): void;
}

export interface EventsOptions {
  view: InstanceView;
  jobs: Pick<PassiveJobs, 'watch' | 'watchRuns'>;
  limits: () => Pick<Settings['limits'], 'socketsPerCredential' | 'socketsPerUser'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export function createEventsService({ view, jobs, limits, now }: EventsOptions): EventsService {
  const log = createEventLog();
  const listeners = new Set<(text: string, instanceId: string) => void>();
  const streams = createStreamCounts(limits);

  function tell({ text, instanceId }: LoggedEvent): void {
    for (const listener of listeners) listener(text, instanceId);
  }

  const publish = (type: string, data: AboutInstance) => tell(log.add(type, data));

  /** Sends an event that is superseded by the next one of its type. It has no id: readers resume after the last logged event. */
  function mention(type: string, data: AboutInstance): void {
    if (listeners.size > 0) tell({ text: eventText(type, data), instanceId: data.instanceId });
  }

  view.onChange((change) => {
    for (const { type, data, transient } of eventsOf(change)) (transient ? mention : publish)(type, data);
  });

  const jobEvents = createJobEvents({
    jobs,
    now,
    onChange(job, isNews) {
      const { kind, state, instanceId, backupId } = job;
      (isNews ? publish : mention)('job.progress', withoutCopy(job));
      if (isNews && kind === 'backup' && state === 'done') publish('backup.done', { instanceId, backupId });
      if (isNews && kind === 'delete' && state === 'done') publish('backup.removed', { instanceId, backupId });
    },
  });

  const stopRuns = jobs.watchRuns(({ instanceId, run }) => publish('schedule.run', { instanceId, ...run }));

  function* presentState(): Generator<LoggedEvent> {
    for (const record of view.all())
      for (const { type, data } of eventsOfPresent(record)) yield { text: eventText(type, data), ...data };
    for (const job of jobEvents.active()) {
      const data = withoutCopy(job);
      yield { text: eventText('job.progress', data), ...data };
    }
  }

  return {
    catchUp(lastId, sees) {
      const missed = lastId === undefined ? undefined : log.after(lastId);
      const texts = Array.from(missed ?? presentState())
        .filter(({ instanceId }) => sees(instanceId))
        .map(({ text }) => text);
      if (missed) return texts.join('');
      const gap = lastId === undefined ? '' : eventText('events.gap', { lastEventId: lastId });
      return `${log.position()}${gap}${texts.join('')}`;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enter: streams.enter,
    get streams() {
      return streams.total();
    },
    close() {
      jobEvents.close();
      stopRuns();
    },
  };
}

/** A user may see a job without seeing the instance it created. That instance has its own events. */
function withoutCopy({ newInstanceId: _, ...job }: Job): Omit<Job, 'newInstanceId'> {
  return job;
}

function createStreamCounts(limits: EventsOptions['limits']) {
  const open = new Set<Pick<Identity, 'credential' | 'username'>>();
  const count = (is: (by: Pick<Identity, 'credential' | 'username'>) => boolean) => [...open].filter(is).length;
  return {
    enter({ kind, credential, username }: Pick<Identity, 'kind' | 'credential' | 'username'>): () => void {
      const { socketsPerCredential, socketsPerUser } = limits();
      if (kind !== 'local' && count((by) => by.credential === credential) >= socketsPerCredential)
        throw tooMany('with this credential', socketsPerCredential, 'limits.socketsPerCredential');
      // A user can sign in any number of times.
      if (kind !== 'local' && count((by) => by.username === username) >= socketsPerUser)
        throw tooMany('by this user', socketsPerUser, 'limits.socketsPerUser');
      const entry = { credential, username };
      open.add(entry);
      return () => void open.delete(entry);
    },
    total: () => open.size,
  };
}

function tooMany(whose: string, most: number, setting: string): GamekeeperError {
  return new GamekeeperError('rate_limited', `${most} event streams are open ${whose}, which is the limit.`, {
    resolution: `Close some, or raise ${setting} in the settings.`,
  });
}
