import { statusOf } from '../../../shared/domain/phase.ts';
import type { InstanceRuntime } from '../../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Identity } from '../../auth/identity.ts';
import type { InstanceChange, InstanceRecord, InstanceView } from '../../upstream/instance-view.ts';
import type { PassiveJobs } from '../../upstream/passive-jobs.ts';
import { type AboutInstance, createEventLog, eventText, type LoggedEvent } from './event-log.ts';
import { createJobEvents } from './job-events.ts';

/** What happens, as the texts of Server-Sent Events. */
export interface EventsService {
  /**
   * What a reader needs first: the events after `lastId`, or, where that is not known any more or absent, how everything is now; of the
   * instances that the reader sees.
   */
  catchUp(lastId: string | undefined, sees: (instanceId: string) => boolean): string;
  /** Tells each event and the instance that it is about. Returns how to stop listening. */
  onEvent(listener: (text: string, instanceId: string) => void): () => void;
  /** Takes a place among the open streams. Throws `rate_limited` when the credential has too many. Returns how to give it back. */
  enter(by: Pick<Identity, 'kind' | 'credential'>): () => void;
  /** Streams that are open. */
  readonly streams: number;
  close(): void;
}

export interface EventsOptions {
  view: InstanceView;
  jobs: Pick<PassiveJobs, 'watch' | 'watchRuns'>;
  /** Streams that one credential may have open. */
  streamsPerCredential: () => number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export function createEventsService({ view, jobs, streamsPerCredential, now }: EventsOptions): EventsService {
  const log = createEventLog();
  const listeners = new Set<(text: string, instanceId: string) => void>();
  const open = new Map<string, number>();

  function tell({ text, instanceId }: LoggedEvent): void {
    for (const listener of listeners) listener(text, instanceId);
  }

  /** What must not be missed: who was away gets it later. */
  const publish = (type: string, data: AboutInstance) => tell(log.add(type, data));

  /** What the next event of its kind makes old. It has no id, so that readers go on from what must not be missed. */
  function mention(type: string, data: AboutInstance): void {
    if (listeners.size > 0) tell({ text: eventText(type, data), instanceId: data.instanceId });
  }

  view.onChange(({ id, before, after }: InstanceChange) => {
    if (!after) {
      publish('instance.removed', { instanceId: id });
      return;
    }
    if (!before || stateOf(before) !== stateOf(after)) publish('instance.phase', phaseOf(after));
    if (before) {
      for (const name of newIn(after, before)) publish('player.join', { instanceId: id, name });
      for (const name of newIn(before, after)) publish('player.leave', { instanceId: id, name });
    }
    const usage = usageOf(after);
    if (usage && !isSame(usage, before && usageOf(before))) mention('usage', usage);
  });

  const work = createJobEvents({
    jobs,
    now,
    // What has come of a job may be hidden from who sees the job: it is asked for, and has an event of its own.
    onChange({ newInstanceId: _, ...job }, isNews) {
      if (isNews) publish('job.progress', job);
      else mention('job.progress', job);
      if (isNews && job.kind === 'backup' && job.state === 'done')
        publish('backup.done', { instanceId: job.instanceId, backupId: job.backupId });
      if (isNews && job.kind === 'delete' && job.state === 'done')
        publish('backup.removed', { instanceId: job.instanceId, backupId: job.backupId });
    },
  });

  const stopRuns = jobs.watchRuns(({ instanceId, run }) => publish('schedule.run', { instanceId, ...run }));

  function* howThingsAre(): Generator<LoggedEvent> {
    const event = (type: string, data: AboutInstance) => ({ text: eventText(type, data), ...data });
    for (const record of view.all()) {
      yield event('instance.phase', phaseOf(record));
      const usage = usageOf(record);
      if (usage) yield event('usage', usage);
    }
    for (const { newInstanceId: _, ...job } of work.active()) yield event('job.progress', job);
  }

  return {
    catchUp(lastId, sees) {
      const missed = lastId === undefined ? undefined : log.after(lastId);
      const texts = Array.from(missed ?? howThingsAre())
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
    enter({ kind, credential }) {
      const count = open.get(credential) ?? 0;
      const most = streamsPerCredential();
      if (kind !== 'local' && count >= most)
        throw new GamekeeperError('rate_limited', `${most} streams of events are open with this credential.`, {
          resolution: 'Close some of them, or raise limits.socketsPerCredential.',
        });
      open.set(credential, count + 1);
      return () => {
        const left = (open.get(credential) ?? 1) - 1;
        if (left > 0) open.set(credential, left);
        else open.delete(credential);
      };
    },
    get streams() {
      return [...open.values()].reduce((sum, count) => sum + count, 0);
    },
    close() {
      work.close();
      stopRuns();
    },
  };
}

function stateOf({ runtime }: InstanceRecord): string {
  return `${runtime.phase} ${runtime.activity ?? ''} ${runtime.degraded ?? ''}`;
}

function phaseOf({ config, runtime: { phase, activity } }: InstanceRecord) {
  return { instanceId: config.id, status: statusOf(phase), phase, ...(activity !== undefined && { activity }) };
}

/** Players who are in `these` and not in `those`. */
function newIn(these: InstanceRecord, those: InstanceRecord): string[] {
  const known = new Set(those.runtime.players);
  return (these.runtime.players ?? []).filter((name) => !known.has(name));
}

type Usage = { instanceId: string } & Pick<
  InstanceRuntime,
  'cpuPercent' | 'memoryUsedMb' | 'tickTimeMs' | 'tps' | 'playersOnline'
>;

function usageOf({ config, runtime }: InstanceRecord): Usage | undefined {
  const { cpuPercent, memoryUsedMb, tickTimeMs, tps, playersOnline } = runtime;
  if (cpuPercent === undefined) return undefined;
  return {
    instanceId: config.id,
    cpuPercent,
    ...(memoryUsedMb !== undefined && { memoryUsedMb }),
    ...(tickTimeMs !== undefined && { tickTimeMs }),
    ...(tps !== undefined && { tps }),
    ...(playersOnline !== undefined && { playersOnline }),
  };
}

function isSame(one: Usage, other: Usage | undefined): boolean {
  return (
    one.cpuPercent === other?.cpuPercent &&
    one.memoryUsedMb === other?.memoryUsedMb &&
    one.tickTimeMs === other?.tickTimeMs &&
    one.tps === other?.tps &&
    one.playersOnline === other?.playersOnline
  );
}
