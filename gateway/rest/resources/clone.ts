import { cloneInstance } from '../../../shared/schema/clone.ts';
import { instance } from '../../../shared/schema/instance.ts';
import { job } from '../../../shared/schema/job.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';

export function cloneRoute(app: Api, { clones }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/:id/clone',
    {
      schema: { params: ofInstance, body: cloneInstance, response: { 201: instance, 202: job } },
      config: {
        operation: {
          id: 'cloneInstance',
          work: 'clone',
          summary: 'Copy an instance, running or stopped',
          description:
            'Answers when the copy is complete. The copy gets its own ports and secrets. Schedules, backups and the tunnel are not copied.',
          tag: 'Instances',
          access: needs('servers:write', 'admin'),
          errors: [
            'instance_not_found',
            'instance_exists',
            'invalid_state',
            'backup_in_progress',
            'already_in_progress',
            'port_in_use',
            'rcon_unavailable',
            'insufficient_storage',
            'worker_unavailable',
          ],
          requestHeaders: PREFER,
          answers: {
            201: { description: 'Copied.', headers: { Location: 'Address of the copy' } },
            202: ACCEPTED,
          },
        },
      },
    },
    async (request, reply) => {
      const answer = await answerOf(await clones.clone(request.params.id, request.body), { request, reply, prefix });
      if (!('jobId' in answer)) reply.code(201).header('location', `${prefix}/instances/${answer.id}`);
      return answer;
    },
  );
}
