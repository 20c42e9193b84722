import { importedInstance, importInstance, recognition } from '../../../shared/schema/import.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

export function importRoute(app: Api, { imports }: Services): void {
  app.post(
    '/instances/import',
    {
      schema: { body: importInstance, response: { 200: recognition, 201: importedInstance } },
      config: {
        operation: {
          id: 'importInstance',
          summary: 'Make an instance of a server that is on this machine already',
          description:
            'Its folder is used in place and nothing in it is changed; what it is shows from its files. Only for local administrators.',
          tag: 'Instances',
          access: needs('servers:write', 'admin'),
          errors: ['instance_exists', 'invalid_state', 'port_in_use', 'worker_unavailable'],
          answers: {
            200: { description: 'With dryRun: what was recognised.' },
            201: { description: 'Imported.', headers: { Location: 'Address of the instance' } },
          },
        },
      },
    },
    async (request, reply) => {
      const by = request.identity!;
      if (request.body.dryRun) return imports.recognise(request.body, by);
      const imported = await imports.folder(request.body, by);
      return reply.code(201).header('location', `${app.prefix}/instances/${imported.id}`).send(imported);
    },
  );
}
