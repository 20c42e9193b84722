import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Job } from '../../../shared/schema/job.ts';
import { prefersAsync } from '../../http/prefer.ts';
import type { Accepted } from '../../services/backups.ts';

/** How 202 looks in the OpenAPI document. */
export const ACCEPTED = {
  description: 'Accepted, with "Prefer: respond-async": the job to watch.',
  headers: { Location: 'Address of the job', 'Preference-Applied': 'respond-async' },
};

/** The header that asks for it. */
export const PREFER = {
  Prefer: {
    description: 'respond-async: answer 202 with the job at once instead of waiting',
    example: 'respond-async',
  },
};

/**
 * The answer of work that is under way: its result when it is done, or its job at once where the caller prefers that (RFC 7240).
 * A caller that goes away ends nothing.
 */
export async function answerOf<Answer>(
  { job, done }: Accepted<Answer>,
  { request, reply, prefix }: { request: FastifyRequest; reply: FastifyReply; prefix: string },
): Promise<Answer | Job> {
  if (!prefersAsync(request.headers.prefer)) return done();
  reply.code(202).header('location', `${prefix}/jobs/${job.jobId}`).header('preference-applied', 'respond-async');
  return job;
}
