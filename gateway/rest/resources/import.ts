import { importedInstance, importInstance, recognition } from '../../../shared/schema/import.ts';
import { job } from '../../../shared/schema/job.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';

export function importRoute(app: Api, { imports }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/import',
    {
      schema: { body: importInstance, response: { 200: recognition, 201: importedInstance, 202: job } },
      config: {
        operation: {
          id: 'importInstance',
          work: 'import',
          summary: 'Import a server that exists already',
          description:
            'Software, version, port and other settings are recognised from the files. A folder is used in place and nothing in it is changed. An archive on this machine, or one that was uploaded to `/instances/import/uploads`, is unpacked into a new folder; the answer comes when that is done. Only for local administrators.',
          tag: 'Instances',
          access: needs('servers:write', 'admin'),
          errors: [
            'instance_exists',
            'invalid_state',
            'already_in_progress',
            'file_not_found',
            'port_in_use',
            'insufficient_storage',
            'worker_unavailable',
          ],
          requestHeaders: PREFER,
          answers: {
            200: { description: 'With `dryRun`: what was recognised.' },
            201: { description: 'Imported.', headers: { Location: 'Address of the instance' } },
            202: ACCEPTED,
          },
        },
      },
    },
    async (request, reply) => {
      const by = request.identity!;
      if (request.body.dryRun) return imports.recognise(request.body, by);
      const answer =
        request.body.directory !== undefined
          ? await imports.folder(request.body, by)
          : await answerOf(await imports.archive(request.body, by), { request, reply, prefix });
      if (!('jobId' in answer)) reply.code(201).header('location', `${prefix}/instances/${answer.id}`);
      return answer;
    },
  );
}
