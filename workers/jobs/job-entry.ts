import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { Progress } from '../pool/task-types.ts';

/** What work gets to know and may say while it runs. */
export interface JobRun {
  readonly jobId: string;
  /** Aborted when the job is cancelled, or everything ends. */
  readonly signal: AbortSignal;
  /** Counts bytes; whoever looks at the job sees them. */
  readonly progress: Progress;
  /** Says which backup the job is about, once that is known. */
  concerns(backupId: string): void;
}

export interface JobRequest {
  kind: Job['kind'];
  instanceId: string;
  backupId?: string;
  /** False: begins at once, whatever else runs. */
  queued: boolean;
  work(run: JobRun): Promise<void>;
}

/** A job with what only the queue knows. */
export interface Entry {
  request: JobRequest;
  run: JobRun;
  controller: AbortController;
  state: Job['state'];
  backupId: string | undefined;
  createdAt: string;
  endedAt: string | undefined;
  failure: unknown;
  ended: PromiseWithResolvers<void>;
}

export function isActive({ state }: { state: Job['state'] }): boolean {
  return state === 'queued' || state === 'running';
}

/** The job as others see it now. */
export function view({ request, run, state, backupId, createdAt, endedAt, failure }: Entry): Job {
  const { done, total } = run.progress;
  return {
    jobId: run.jobId,
    kind: request.kind,
    instanceId: request.instanceId,
    state,
    percent: state === 'done' ? 100 : percentOf(done, total),
    bytesDone: done,
    bytesTotal: Math.max(done, total),
    createdAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(backupId !== undefined && { backupId }),
    ...(state === 'failed' && { error: shown(failure) }),
  };
}

/** One decimal; 100 is for what has ended. */
function percentOf(done: number, total: number): number {
  return total === 0 ? 0 : Math.min(99.9, Math.floor((done / total) * 1000) / 10);
}

function shown(failure: unknown): { code: string; detail: string } {
  const { code, detail } = toCodedFailure(failure);
  return { code, detail };
}
