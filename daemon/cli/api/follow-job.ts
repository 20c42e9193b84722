import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../../shared/schema/job.ts';
import { bar, progressLine } from '../terminal/progress-bar.ts';
import { formatBytes, formatSeconds } from '../terminal/quantities.ts';
import { Failure, failedWith } from './failure.ts';
import type { Session } from './session.ts';

/** Often enough for a bar to move smoothly. Milliseconds. */
const LOOK_EVERY_MS = 200;

/** Starts a job and shows its progress until it ends. Throws the job's failure. */
export async function runJob({ api }: Session, request: { path: string; body?: object; title: string }): Promise<Job> {
  const { path, body, title } = request;
  const accepted = await api.request('POST', path, { ...(body && { body }), headers: { prefer: 'respond-async' } });
  const { location } = accepted.headers;
  if (accepted.status !== 202 || location === undefined)
    throw new Failure(`Unexpected answer: ${accepted.status} without the address of the job.`);
  const line = progressLine(process.stderr);
  try {
    for (;;) {
      const { body: job } = await api.request<Job>('GET', location);
      if (job.state === 'done') return job;
      if (job.state === 'cancelled') throw new Failure(`${title} was cancelled.`);
      if (job.state === 'failed') throw failedWith(job.error ?? { code: 'internal_error', detail: `${title} failed.` });
      line.show(progressOf(job, title));
      await delay(LOOK_EVERY_MS);
    }
  } finally {
    line.clear();
  }
}

/** Shows the progress of a job until its `answer` arrives. Resolves to that answer. */
export async function whileShowing<Answer>(
  { api, interactive }: Session,
  { kind, backupId, title }: Pick<Job, 'kind' | 'backupId'> & { title: string },
  answer: Promise<Answer>,
): Promise<Answer> {
  if (!interactive) return answer;
  const line = progressLine(process.stderr);
  const ended = new AbortController();
  const isIt = (job: Job) => job.kind === kind && job.backupId === backupId && job.endedAt === undefined;
  const show = async () => {
    while (!ended.signal.aborted) {
      const { body: jobs } = await api.request<Job[]>('GET', '/jobs');
      const job = jobs.find(isIt);
      if (job && !ended.signal.aborted) line.show(progressOf(job, title));
      await delay(LOOK_EVERY_MS);
    }
  };
  try {
    show().catch(() => undefined); // `answer` fails for the same reason
    return await answer;
  } finally {
    ended.abort();
    line.clear();
  }
}

function progressOf(job: Job, title: string): string {
  return `${title}  ${bar(job.percent)}${amounts(job)}`;
}

function amounts({ bytesDone, bytesTotal, bytesPerSecond, remainingSeconds }: Job): string {
  if (bytesTotal === 0) return '';
  const parts = [`${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`];
  if (bytesPerSecond !== undefined) parts.push(`${formatBytes(bytesPerSecond)}/s`);
  if (remainingSeconds !== undefined) parts.push(`${formatSeconds(remainingSeconds)} left`);
  return `  ${parts.join(', ')}`;
}
