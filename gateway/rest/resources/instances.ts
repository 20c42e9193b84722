import * as z from 'zod';
import { createInstance, instance, updateInstance } from '../../../shared/schema/instance.ts';
import { instanceConfiguration } from '../../../shared/schema/instance-configuration.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

const whatToKeep = z.object({
  files: z.enum(['keep', 'delete']).default('keep').describe('The server folder'),
  backups: z.enum(['keep', 'delete']).default('keep'),
});

const tag = 'Instances';

/** Only after a change of these, the answer warns of ports that another instance has as well. */
const DECIDE_PORTS = ['port', 'ports', 'rcon', 'transport', 'software'] as const;

export function instanceRoutes(app: Api, services: Services): void {
  collectionRoutes(app, services);
  readRoutes(app, services);
  changeRoutes(app, services);
}

function collectionRoutes(app: Api, { instances, ports }: Services): void {
  app.get(
    '/instances',
    {
      schema: { response: { 200: z.array(instance) } },
      config: {
        operation: {
          id: 'listInstances',
          summary: 'List the instances that you can see, with live stats',
          tag,
          access: needs('servers:read'),
        },
      },
    },
    (request) => instances.list(request.identity!),
  );

  app.post(
    '/instances',
    {
      schema: { body: createInstance, response: { 201: instance } },
      config: {
        operation: {
          id: 'createInstance',
          work: 'create',
          summary: 'Create an instance',
          description: 'Only a local administrator may set `launch`, `directory`, `env` and `runAs`.',
          tag,
          access: needs('servers:write', 'admin'),
          errors: ['instance_exists', 'port_in_use', 'insufficient_storage'],
          answers: { 201: { description: 'Created.', headers: { Location: 'Address of the instance' } } },
        },
      },
    },
    async (request, reply) => {
      const created = await instances.create(request.body, request.identity!);
      const warnings = await ports.warnings(created.id);
      return reply
        .code(201)
        .header('location', `${app.prefix}/instances/${created.id}`)
        .send({ ...created, ...(warnings && { warnings }) });
    },
  );
}

function readRoutes(app: Api, { instances }: Services): void {
  app.get(
    '/instances/:id',
    {
      schema: { params: ofInstance, response: { 200: instance } },
      config: {
        operation: {
          id: 'getInstance',
          summary: 'Get an instance',
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => instances.get(request.params.id),
  );

  app.get(
    '/instances/:id/configuration',
    {
      schema: { params: ofInstance, response: { 200: instanceConfiguration } },
      config: {
        operation: {
          id: 'getConfiguration',
          summary: 'Get the configuration of an instance: the fields that PATCH changes',
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => instances.configuration(request.params.id, request.identity!),
  );
}

function changeRoutes(app: Api, { instances, ports }: Services): void {
  app.patch(
    '/instances/:id',
    {
      schema: { params: ofInstance, body: updateInstance, response: { 200: instance } },
      config: {
        operation: {
          id: 'updateInstance',
          work: 'configure',
          summary: 'Change the configuration of an instance',
          description:
            'Takes effect at the next start. `null` sets a field back to its default. Only a local administrator may set `launch` and `env`.',
          tag,
          access: needs('servers:write', 'admin'),
          errors: [
            ...(['instance_not_found', 'invalid_state', 'already_in_progress', 'port_in_use'] as const),
            // For another software.
            ...(['version_not_found', 'vendor_unavailable', 'worker_unavailable'] as const),
          ],
        },
      },
    },
    async (request) => {
      const { params, body, identity } = request;
      const changed = await instances.update(params.id, body, identity!);
      const warnings = DECIDE_PORTS.some((field) => field in body) && (await ports.warnings(params.id));
      return { ...changed, ...(warnings && { warnings }) };
    },
  );

  app.delete(
    '/instances/:id',
    {
      schema: { params: ofInstance, querystring: whatToKeep },
      config: {
        operation: {
          id: 'deleteInstance',
          work: 'remove',
          summary: 'Delete a stopped instance',
          description: 'The server folder and the backups are kept unless the query says otherwise.',
          tag,
          access: needs('servers:write', 'admin'),
          errors: [
            'instance_not_found',
            'invalid_state',
            'backup_in_progress',
            'already_in_progress',
            'worker_unavailable',
          ],
          answers: { 204: { description: 'Deleted.' } },
        },
      },
    },
    async (request, reply) => {
      await instances.remove(request.params.id, request.query);
      return reply.code(204).send();
    },
  );
}
