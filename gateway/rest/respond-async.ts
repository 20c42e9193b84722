import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Job } from '../../shared/schema/job.ts';
import type { Accepted } from '../services/jobs.ts';

export const ACCEPTED = {
  description: 'Accepted (with `Prefer: respond-async`): the job to watch.',
  headers: { Location: 'Address of the job', 'Preference-Applied': 'respond-async' },
};

export const PREFER = {
  Prefer: {
    description: '`respond-async`: return 202 with the job at once instead of waiting',
    example: 'respond-async',
  },
};

/**
 * Returns the result once the work is done, or the job at once if the caller prefers that (RFC 7240). Work continues when the caller
 * disconnects.
 */
export async function answerOf<Answer>(
  { job, done }: Accepted<Answer>,
  { request, reply, prefix }: { request: FastifyRequest; reply: FastifyReply; prefix: string },
): Promise<Answer | Job> {
  if (!prefersAsync(request.headers.prefer)) return done();
  // A failure is in the job.
  request.ongoing = done().catch(() => undefined);
  reply.code(202).header('location', `${prefix}/jobs/${job.jobId}`).header('preference-applied', 'respond-async');
  return job;
}

function prefersAsync(header: string | string[] | undefined): boolean {
  return [header ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
