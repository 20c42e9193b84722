import { toCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { JobProgress, Phase } from './job-progress.ts';
import type { RateMeter } from './rate-meter.ts';

/** What work gets to know and may say while it runs. */
export interface JobRun {
  readonly jobId: string;
  /** Aborted when the job is cancelled, or everything ends. */
  readonly signal: AbortSignal;
  /** Announces a part of the work, of about so many bytes; what counts in it shows in the job. */
  phase(estimate: number): Phase;
  /** Says which backup the job is about, once that is known. */
  concerns(backupId: string): void;
  /** Says which instance has come of it. */
  made(instanceId: string): void;
}

export interface JobRequest {
  kind: Job['kind'];
  instanceId: string;
  backupId?: string;
  /** The store that a copy goes to. */
  store?: string;
  /** False: begins at once, whatever else runs. */
  queued: boolean;
  work(run: JobRun): Promise<void>;
}

/** A job with what only the queue knows. */
export interface Entry {
  request: JobRequest;
  run: JobRun;
  controller: AbortController;
  progress: JobProgress;
  /** Runs from when the job does. */
  rate: RateMeter | undefined;
  /** The highest that was shown: a percentage never goes back. */
  percent: number;
  state: Job['state'];
  backupId: string | undefined;
  newInstanceId: string | undefined;
  createdAt: string;
  endedAt: string | undefined;
  failure: unknown;
  ended: PromiseWithResolvers<void>;
}

export function isActive({ state }: { state: Job['state'] }): boolean {
  return state === 'queued' || state === 'running';
}

/** The job as others see it at `now`, milliseconds of the clock that its rate meter was started with. */
export function view(entry: Entry, now: number): Job {
  const { request, run, progress, state, backupId, newInstanceId, createdAt, endedAt, failure } = entry;
  const { done, total } = progress;
  entry.percent = state === 'done' ? 100 : Math.max(entry.percent, percentOf(done, total));
  return {
    jobId: run.jobId,
    kind: request.kind,
    instanceId: request.instanceId,
    state,
    percent: entry.percent,
    bytesDone: done,
    bytesTotal: total,
    ...(state === 'running' && pace(entry.rate?.look(now, done), total - done)),
    createdAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(backupId !== undefined && { backupId }),
    ...(newInstanceId !== undefined && { newInstanceId }),
    ...(request.store !== undefined && { store: request.store }),
    ...(state === 'failed' && { error: shown(failure) }),
  };
}

/** Whole seconds, rounded up; nothing where it would be a guess. */
function pace(rate: number | undefined, left: number): Pick<Job, 'bytesPerSecond' | 'remainingSeconds'> {
  if (rate === undefined) return {};
  const bytesPerSecond = Math.round(rate);
  return { bytesPerSecond, ...(bytesPerSecond > 0 && { remainingSeconds: Math.ceil(left / bytesPerSecond) }) };
}

/** One decimal; 100 is for what has ended. */
function percentOf(done: number, total: number): number {
  return total === 0 ? 0 : Math.min(99.9, Math.floor((done / total) * 1000) / 10);
}

function shown(failure: unknown): { code: string; detail: string } {
  const { code, detail } = toCodedFailure(failure);
  return { code, detail };
}
