import { toCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { JobProgress, Phase } from './job-progress.ts';
import type { RateMeter } from './rate-meter.ts';

export interface JobRun {
  readonly jobId: string;
  /** Aborted when the job is cancelled or the process ends. */
  readonly signal: AbortSignal;
  /** Announces a part of the work, of about `estimate` bytes. What it counts shows in the job. */
  phase(estimate: number): Phase;
  /** Sets the backup that the job is about, once it is known. */
  concerns(backupId: string): void;
  made(instanceId: string): void;
  /** Records the files and folders that nobody excluded and that the result does not contain. */
  omits(omissions: JobOmissions): void;
}

type JobOmissions = Pick<Backup, 'omitted' | 'omittedCount'>;

export interface JobRequest {
  kind: Job['kind'];
  instanceId: string;
  backupId?: string;
  store?: string;
  /** Id of the instance that the job will create. */
  creates?: string;
  /** False: starts at once, no matter what else runs. */
  queued: boolean;
  work(run: JobRun): Promise<void>;
}

/** A job, with the fields that only the queue uses. */
export interface Entry {
  request: JobRequest;
  run: JobRun;
  controller: AbortController;
  progress: JobProgress;
  rate: RateMeter | undefined;
  /** The highest percentage shown so far: it never decreases. */
  percent: number;
  state: Job['state'];
  backupId: string | undefined;
  newInstanceId: string | undefined;
  omissions: JobOmissions | undefined;
  createdAt: string;
  endedAt: string | undefined;
  failure: unknown;
  ended: PromiseWithResolvers<void>;
}

export function isActive({ state }: { state: Job['state'] }): boolean {
  return state === 'queued' || state === 'running';
}

/** Returns the job as the API shows it. `now` is in milliseconds of the clock that its rate meter was created with. */
export function view(entry: Entry, now: number): Job {
  const { request, run, progress, state, backupId, newInstanceId, omissions, createdAt, endedAt, failure } = entry;
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
    ...(omissions && omissions.omittedCount > 0 && omissions),
    ...(request.store !== undefined && { store: request.store }),
    ...(state === 'failed' && { error: shown(failure) }),
  };
}

/** In whole seconds, rounded up. Empty while no rate is known. */
function pace(rate: number | undefined, left: number): Pick<Job, 'bytesPerSecond' | 'remainingSeconds'> {
  if (rate === undefined) return {};
  const bytesPerSecond = Math.round(rate);
  return { bytesPerSecond, ...(bytesPerSecond > 0 && { remainingSeconds: Math.ceil(left / bytesPerSecond) }) };
}

/** With one decimal; 100 is reserved for jobs that are done. */
function percentOf(done: number, total: number): number {
  return total === 0 ? 0 : Math.min(99.9, Math.floor((done / total) * 1000) / 10);
}

function shown(failure: unknown): { code: string; detail: string } {
  const { code, detail } = toCodedFailure(failure);
  return { code, detail };
}
