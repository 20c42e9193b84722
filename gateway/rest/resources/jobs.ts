import * as z from 'zod';
import { job } from '../../../shared/schema/job.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofJob } from '../parameters.ts';

export function jobRoutes(app: Api, { jobs }: Services): void {
  const tag = 'Jobs';

  app.get(
    '/jobs',
    {
      schema: { response: { 200: z.array(job) } },
      config: {
        operation: {
          id: 'listJobs',
          summary: 'List jobs that run, wait or ended recently',
          tag,
          access: needs('servers:read'),
          errors: ['worker_unavailable'],
        },
      },
    },
    (request) => jobs.list(request.identity!),
  );

  app.get(
    '/jobs/:jobId',
    {
      schema: { params: ofJob, response: { 200: job } },
      config: {
        operation: {
          id: 'getJob',
          summary: 'Get the progress of a job',
          tag,
          access: needs('servers:read'),
          errors: ['job_not_found', 'worker_unavailable'],
        },
      },
    },
    (request) => jobs.get(request.params.jobId, request.identity!),
  );

  app.delete(
    '/jobs/:jobId',
    {
      schema: { params: ofJob },
      config: {
        operation: {
          id: 'cancelJob',
          summary: 'Cancel a job',
          tag,
          access: { kind: 'scope', scope: 'servers:write', of: 'anything' },
          errors: ['job_not_found', 'invalid_state', 'worker_unavailable'],
          answers: { 204: { description: 'The job is being cancelled.' } },
        },
      },
    },
    async (request, reply) => {
      await jobs.cancel(request.params.jobId, request.identity!);
      return reply.code(204).send();
    },
  );
}
