import { changedProperties, propertiesResource, propertiesSchema } from '../../../shared/schema/properties.ts';
import { needs, SUPERVISOR_ERRORS } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

/** Only after a change of these, the answer warns of ports that another instance has as well. */
const DECIDES_PORTS = /port(?:v6)?$|^enable-query$|^management-server-enabled$/;

const VERSIONED = { description: 'The properties.', headers: { ETag: 'Version of the properties, for `If-Match`' } };

export function propertiesRoutes(app: Api, { properties, ports }: Services): void {
  const tag = 'Properties';

  app.get(
    '/instances/:id/properties',
    {
      schema: { params: ofInstance, response: { 200: propertiesResource } },
      config: {
        operation: {
          id: 'getProperties',
          work: 'serverFile',
          summary: 'Get the server properties',
          description: 'Secrets are shown as `********`.',
          tag,
          access: needs('servers:read'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state'],
          answers: { 200: VERSIONED },
        },
      },
    },
    async (request, reply) => {
      const { properties: values, etag } = await properties.read(request.params.id);
      return reply.header('etag', etag).send({ properties: values });
    },
  );

  app.get(
    '/instances/:id/properties/schema',
    {
      schema: { params: ofInstance, response: { 200: propertiesSchema } },
      config: {
        operation: {
          id: 'getPropertiesSchema',
          summary: 'Get the known properties with their types and ranges',
          description: "Type, range, default and description of each known key of the instance's version.",
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => properties.schema(request.params.id),
  );

  app.put(
    '/instances/:id/properties',
    {
      schema: { params: ofInstance, body: propertiesResource, response: { 200: changedProperties } },
      config: {
        operation: {
          id: 'setProperties',
          work: 'serverFile',
          summary: 'Set server properties',
          description:
            'Sets the given keys and keeps the others. With `If-Match`, only if nothing has changed since. A running server takes some values at once; `effects` in the answer says which. `server-port`, `max-players` and `rcon.port` also change the settings of the instance.',
          tag,
          access: needs('servers:write', 'admin'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state', 'precondition_failed', 'insufficient_storage'],
          requestHeaders: {
            'If-Match': { description: 'ETag of the version that you have read', example: '"3f1c5a"' },
          },
          answers: { 200: VERSIONED },
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request;
      const { etag, ...written } = await properties.write(params.id, body.properties, headers['if-match']);
      const decidesPorts = Object.keys(body.properties).some((key) => DECIDES_PORTS.test(key));
      const warnings = decidesPorts && (await ports.warnings(params.id));
      return reply.header('etag', etag).send({ ...written, ...(warnings && { warnings }) });
    },
  );
}
