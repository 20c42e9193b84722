import { instance } from '../../../shared/schema/instance.ts';
import { job } from '../../../shared/schema/job.ts';
import { createFromModpack, modpackSearch, modpackVersions } from '../../../shared/schema/modpacks.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { modrinthQuery, ofModpack } from '../parameters.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';

const tag = 'Mods';

export function modpackRoutes(app: Api, services: Services): void {
  questionRoutes(app, services);
  createRoute(app, services);
}

function questionRoutes(app: Api, { modpacks }: Services): void {
  app.get(
    '/modpacks',
    {
      schema: { querystring: modrinthQuery, response: { 200: modpackSearch } },
      config: {
        operation: {
          id: 'searchModpacks',
          work: 'vendor',
          summary: 'Search Modrinth for modpacks that servers can use',
          tag,
          access: needs('servers:write', 'admin'),
          errors: ['vendor_unavailable', 'worker_unavailable'],
        },
      },
    },
    (request) => modpacks.search(request.query, request.identity!),
  );

  app.get(
    '/modpacks/:project/versions',
    {
      schema: { params: ofModpack, response: { 200: modpackVersions } },
      config: {
        operation: {
          id: 'listModpackVersions',
          work: 'vendor',
          summary: 'List the versions of a modpack',
          tag,
          access: needs('servers:write', 'admin'),
          errors: ['mod_not_found', 'vendor_unavailable', 'worker_unavailable'],
        },
      },
    },
    (request) => modpacks.versions(request.params.project, request.identity!),
  );
}

function createRoute(app: Api, { modpacks }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/modpack',
    {
      schema: { body: createFromModpack, response: { 201: instance, 202: job } },
      config: {
        operation: {
          id: 'createFromModpack',
          work: 'import',
          summary: 'Create an instance from a modpack on Modrinth',
          description:
            'Returns when its files are downloaded. Software, version and mod loader are those of the modpack; the loader itself is installed at the first start.',
          tag: 'Instances',
          access: needs('servers:write', 'admin'),
          errors: [
            'instance_exists',
            'invalid_state',
            'port_in_use',
            'mod_not_found',
            'version_not_found',
            'vendor_unavailable',
            'insufficient_storage',
            'worker_unavailable',
          ],
          requestHeaders: PREFER,
          answers: {
            201: { description: 'Created.', headers: { Location: 'Address of the instance' } },
            202: ACCEPTED,
          },
        },
      },
    },
    async (request, reply) => {
      const accepted = await modpacks.create(request.body, request.identity!);
      const answer = await answerOf(accepted, { request, reply, prefix });
      if (!('jobId' in answer)) reply.code(201).header('location', `${prefix}/instances/${answer.id}`);
      return answer;
    },
  );
}
