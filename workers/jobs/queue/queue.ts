import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../../shared/schema/job.ts';
import { type Entry, isActive, type JobRequest, view } from './job-entry.ts';
import { JobProgress } from './job-progress.ts';
import { RateMeter } from './rate-meter.ts';

/** Ended jobs to remember, so callers can still ask for their outcome. */
const MAX_ENDED_JOBS = 200;

export interface JobQueueOptions {
  /** How many queued jobs may run at the same time on this machine. */
  limit: number;
  now: () => Date;
  /** Milliseconds of a monotonic clock, for rates. */
  ticks: () => number;
  newId: () => string;
  onFailed: (job: Job, error: unknown) => void;
}

/** Runs jobs: one per instance and `limit` on this machine at a time. Remembers ended jobs for a while. */
export class JobQueue {
  #limit: number;
  readonly #options: JobQueueOptions;
  readonly #entries = new Map<string, Entry>();
  /** Failed jobs of the previous process. */
  readonly #recalled = new Map<string, Job>();
  readonly #lastTurn = new Map<string, number>();
  #turns = 0;
  readonly #listeners = new Set<(job: Job) => void>();

  constructor(options: JobQueueOptions) {
    this.#options = options;
    this.#limit = options.limit;
  }

  /** A higher limit starts more jobs at once; a lower one ends none. */
  set limit(limit: number) {
    this.#limit = limit;
    this.#startNext();
  }

  add(request: JobRequest): Job {
    const jobId = this.#options.newId();
    const controller = new AbortController();
    const progress = new JobProgress();
    const entry: Entry = {
      request,
      controller,
      progress,
      rate: undefined,
      percent: 0,
      run: {
        jobId,
        signal: controller.signal,
        phase: (estimate) => progress.phase(estimate),
        concerns: (backupId) => {
          entry.backupId = backupId;
        },
        made: (instanceId) => {
          entry.newInstanceId = instanceId;
        },
        omits: ({ omitted, omittedCount }) => {
          entry.omissions = { omitted, omittedCount };
        },
      },
      state: 'queued',
      backupId: request.backupId,
      newInstanceId: undefined,
      omissions: undefined,
      createdAt: this.#options.now().toISOString(),
      endedAt: undefined,
      failure: undefined,
      ended: Promise.withResolvers(),
    };
    this.#entries.set(jobId, entry);
    this.#tell(entry);
    if (request.queued) this.#startNext();
    else void this.#run(entry);
    return this.#view(entry);
  }

  /** Lists jobs that the previous process did not finish. */
  recall(jobs: readonly Job[]): void {
    for (const job of jobs) this.#recalled.set(job.jobId, job);
  }

  /** Calls `listener` whenever a job is added, starts or ends. Returns a function that unsubscribes. */
  onChange(listener: (job: Job) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  all(): Job[] {
    return [...this.#recalled.values(), ...Array.from(this.#entries.values(), (entry) => this.#view(entry))];
  }

  find(jobId: string): Job | null {
    const entry = this.#entries.get(jobId);
    return entry ? this.#view(entry) : (this.#recalled.get(jobId) ?? null);
  }

  active(instanceId: string): Job[] {
    return this.all().filter((job) => job.instanceId === instanceId && isActive(job));
  }

  /** Returns true if a job will create an instance with this id. */
  isClaimed(instanceId: string): boolean {
    return [...this.#entries.values()].some((entry) => entry.request.creates === instanceId && isActive(entry));
  }

  /** Resolves when the job is done. Throws the job's error, or `invalid_state` if it was cancelled. */
  async wait(jobId: string, signal: AbortSignal): Promise<Job> {
    const { error } = this.#recalled.get(jobId) ?? {};
    if (error) throw new GamekeeperError('worker_unavailable', error.detail, { resolution: 'Start it again.' });
    const entry = this.#get(jobId);
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([entry.ended.promise, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
    if (entry.state !== 'done') throw entry.failure;
    return this.#view(entry);
  }

  cancel(jobId: string): void {
    if (this.#recalled.has(jobId)) return;
    this.#abort(this.#get(jobId), new GamekeeperError('invalid_state', 'The job was cancelled.'));
  }

  /** Cancels all jobs with `shutting_down`, which marks work that resumes after a restart, and resolves when none is running. */
  async close(): Promise<void> {
    const active = [...this.#entries.values()].filter(isActive);
    const reason = new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
    for (const entry of active) this.#abort(entry, reason);
    await Promise.all(active.map((entry) => entry.ended.promise));
  }

  #abort(entry: Entry, reason: GamekeeperError): void {
    if (!isActive(entry)) return;
    entry.controller.abort(reason);
    if (entry.state === 'queued') this.#end(entry, 'cancelled', reason);
  }

  #view(entry: Entry): Job {
    return view(entry, this.#options.ticks());
  }

  #tell(entry: Entry): void {
    const job = this.#view(entry);
    for (const listener of this.#listeners) listener(job);
  }

  #get(jobId: string): Entry {
    const entry = this.#entries.get(jobId);
    if (!entry) throw new GamekeeperError('job_not_found', `There is no job "${jobId}".`);
    return entry;
  }

  #startNext(): void {
    const queued = [...this.#entries.values()].filter(({ request }) => request.queued);
    const running = queued.filter(({ state }) => state === 'running');
    if (running.length >= this.#limit) return;
    const next = nextJob({
      waiting: queued.filter(({ state }) => state === 'queued').map((entry) => ({ ...entry.request, entry })),
      busy: new Set(running.map(({ request }) => request.instanceId)),
      lastTurn: (instanceId) => this.#lastTurn.get(instanceId) ?? 0,
    });
    if (!next) return;
    this.#lastTurn.set(next.instanceId, ++this.#turns);
    void this.#run(next.entry);
    this.#startNext();
  }

  async #run(entry: Entry): Promise<void> {
    entry.state = 'running';
    entry.rate = new RateMeter(this.#options.ticks());
    this.#tell(entry);
    try {
      await entry.request.work(entry.run);
      this.#end(entry, 'done', undefined);
    } catch (error) {
      const cancelled = entry.controller.signal.aborted;
      this.#end(entry, cancelled ? 'cancelled' : 'failed', error);
      if (!cancelled) this.#options.onFailed(this.#view(entry), error);
    }
    this.#startNext();
  }

  #end(entry: Entry, state: 'done' | 'failed' | 'cancelled', failure: unknown): void {
    entry.state = state;
    entry.progress.end();
    entry.failure = failure;
    entry.endedAt = this.#options.now().toISOString();
    entry.ended.resolve();
    this.#tell(entry);
    const ended = [...this.#entries].filter(([, { state: other }]) => other !== 'queued' && other !== 'running');
    for (const [jobId] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_JOBS))) this.#entries.delete(jobId);
  }
}

/**
 * Returns the job that runs next: of the instances without a running job, the one that waited longest since its last turn; within an
 * instance, a backup or restore, else in the order of arrival. So an instance with fifty jobs blocks neither the others nor its own backup.
 * Pure.
 */
export function nextJob<Waiting extends Pick<JobRequest, 'instanceId' | 'kind'>>({
  waiting,
  busy,
  lastTurn,
}: {
  waiting: readonly Waiting[];
  busy: ReadonlySet<string>;
  lastTurn: (instanceId: string) => number;
}): Waiting | undefined {
  let next: Waiting | undefined;
  for (const job of waiting) {
    if (busy.has(job.instanceId)) continue;
    if (!next || lastTurn(job.instanceId) < lastTurn(next.instanceId)) next = job;
    else if (job.instanceId === next.instanceId && isUrgent(job) && !isUrgent(next)) next = job;
  }
  return next;
}

/** The jobs process accepts only one of these per instance, so the others get their turn. */
function isUrgent({ kind }: Pick<JobRequest, 'kind'>): boolean {
  return kind === 'backup' || kind === 'restore';
}
