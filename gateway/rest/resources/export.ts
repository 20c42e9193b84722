import { Readable } from 'node:stream';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

const ZIP = 'application/zip';

export function exportRoute(app: Api, { exports }: Services): void {
  app.get(
    '/instances/:id/export',
    {
      schema: { params: ofInstance },
      config: {
        operation: {
          id: 'exportInstance',
          work: 'export',
          summary: 'Download an instance as a ZIP that another Gamekeeper can import',
          description:
            'Contains the server folder and a manifest. It is created during the download. Meanwhile a running server does not write to its world, for ten minutes at most. A download slower than 64 KiB/s ends with an error.',
          tag: 'Instances',
          access: needs('servers:write', 'admin'),
          errors: [
            'instance_not_found',
            'invalid_state',
            'backup_in_progress',
            'already_in_progress',
            'rcon_unavailable',
            'worker_unavailable',
          ],
          answers: { 200: { description: 'The ZIP.', contentType: ZIP } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const isHead = request.method === 'HEAD';
      await exports.check(id);
      const zip = isHead ? Readable.from([]) : await exports.open(id);
      return reply.type(ZIP).header('content-disposition', `attachment; filename="${id}.zip"`).send(zip);
    },
  );
}
