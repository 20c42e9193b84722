import { randomBytes } from 'node:crypto';
import { statusOf } from '../../shared/domain/phase.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { InstanceChange, InstanceRecord, InstanceView } from '../upstream/instance-view.ts';
import type { Jobs } from '../upstream/jobs.ts';

/** Events that a reader who was away can still get. */
const MOST_REMEMBERED = 1_000;
/** How often the progress of work under way is looked at while somebody listens. Milliseconds. */
const JOBS_EVERY_MS = 500;

/** What an event says. Who cannot see the instance does not get it. */
type AboutInstance = { instanceId: string } & Record<string, unknown>;

/** What happens, as the texts of Server-Sent Events (WHATWG HTML, 9.2). */
export interface EventsService {
  /**
   * What a reader needs first: the events after `lastId`, or, where that is not known any more or absent, the state of every
   * instance; of those that the reader sees.
   */
  catchUp(lastId: string | undefined, sees: (instanceId: string) => boolean): string;
  /** Tells each event and the instance that it is about. Returns how to stop listening. */
  onEvent(listener: (text: string, instanceId: string) => void): () => void;
  /** Reports the progress of work that was begun here until it ends. */
  followJob(job: Job): void;
}

export function eventsService({ view, jobs }: { view: InstanceView; jobs: Jobs }): EventsService {
  const run = randomBytes(4).toString('hex');
  const listeners = new Set<(text: string, instanceId: string) => void>();
  const remembered: { id: string; text: string; instanceId: string }[] = [];
  const underWay = new Map<string, Job>();
  let count = 0;
  let looking: NodeJS.Timeout | undefined;

  function publish(type: string, data: AboutInstance): void {
    const id = `${run}-${++count}`;
    const text = `id: ${id}\n${eventText(type, data)}`;
    remembered.push({ id, text, instanceId: data.instanceId });
    if (remembered.length > MOST_REMEMBERED) remembered.shift();
    for (const listener of listeners) listener(text, data.instanceId);
  }

  view.onChange(({ id, before, after }: InstanceChange) => {
    if (!after) publish('instance.removed', { instanceId: id });
    else {
      if (!before || stateOf(before) !== stateOf(after)) publish('instance.phase', phaseOf(after));
      if (after.runtime.cpuPercent !== undefined) publish('usage', usageOf(after));
    }
  });

  async function look(): Promise<void> {
    for (const [jobId, known] of underWay) {
      const job = await jobs.call.job(jobId);
      if (!job || job.endedAt !== undefined) underWay.delete(jobId);
      else underWay.set(jobId, job);
      if (job && (job.state !== known.state || job.percent !== known.percent)) publish('job.progress', job);
      if (job?.kind === 'backup' && job.state === 'done')
        publish('backup.done', { instanceId: job.instanceId, backupId: job.backupId });
    }
  }

  function lookLater(): void {
    if (looking !== undefined || underWay.size === 0 || listeners.size === 0) return;
    looking = setTimeout(() => {
      look()
        // The jobs process is away; its work is looked at again when it is back.
        .catch(() => undefined)
        .finally(() => {
          looking = undefined;
          lookLater();
        });
    }, JOBS_EVERY_MS).unref();
  }

  return {
    catchUp(lastId, sees) {
      const index = lastId === undefined ? -1 : remembered.findIndex(({ id }) => id === lastId);
      if (index >= 0)
        return remembered
          .slice(index + 1)
          .filter(({ instanceId }) => sees(instanceId))
          .map(({ text }) => text)
          .join('');
      const position = count === 0 ? '' : `id: ${run}-${count}\n`;
      const states = Array.from(view.all(), phaseOf).filter(({ instanceId }) => sees(instanceId));
      return `${position}${states.map((state) => eventText('instance.phase', state)).join('')}`;
    },
    onEvent(listener) {
      listeners.add(listener);
      lookLater();
      return () => listeners.delete(listener);
    },
    followJob(job) {
      underWay.set(job.jobId, job);
      if (listeners.size > 0) publish('job.progress', job);
      lookLater();
    },
  };
}

function eventText(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function stateOf({ runtime }: InstanceRecord): string {
  return `${runtime.phase} ${runtime.activity ?? ''}`;
}

function phaseOf({ config, runtime: { phase, activity } }: InstanceRecord) {
  return { instanceId: config.id, status: statusOf(phase), phase, ...(activity !== undefined && { activity }) };
}

function usageOf({ config, runtime: { cpuPercent, memoryUsedMb, playersOnline } }: InstanceRecord) {
  return {
    instanceId: config.id,
    cpuPercent,
    ...(memoryUsedMb !== undefined && { memoryUsedMb }),
    ...(playersOnline !== undefined && { playersOnline }),
  };
}
