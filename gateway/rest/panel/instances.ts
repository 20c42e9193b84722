import * as z from 'zod';
import { actionResponse, propertiesResource } from '../../../shared/schema/answers.ts';
import { needs } from '../../http/operation.ts';
import { playerActionBody } from '../../http/player-action-body.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const LIFECYCLE = ['start', 'stop', 'restart'] as const;
/** The actions that the customer's document gives to this family. */
const PLAYER_ACTIONS = ['kick', 'ban', 'op', 'deop'] as const;

const ofInstance = z.object({ id: z.string().describe('Instance id') });
const ofPlayer = ofInstance.extend({ name: z.string().describe('Player name') });
const ticket = z
  .object({ ticket: z.string(), expiresAt: z.iso.datetime() })
  .meta({ id: 'ConsoleTicket', description: 'Good once, for one console, for 30 seconds' });

/** Family C's operations on instances (reference-api.md, section 4): other paths to the same services. */
export function panelInstanceRoutes(app: Api, services: Services, now: () => number): void {
  const tag = 'Panel';

  for (const action of LIFECYCLE) {
    app.post(
      `/api/instances/:id/${action}`,
      {
        schema: { params: ofInstance, response: { 200: actionResponse } },
        config: {
          operation: {
            id: `panel${action[0]?.toUpperCase()}${action.slice(1)}`,
            summary: `${action[0]?.toUpperCase()}${action.slice(1)} an instance`,
            tag,
            access: needs('servers:write'),
            errors: [
              'instance_not_found',
              'invalid_state',
              'port_in_use',
              'eula_not_accepted',
              'backup_in_progress',
              'already_in_progress',
              'launch_failed',
              'insufficient_storage',
              'worker_unavailable',
            ],
          },
        },
      },
      (request) => services.lifecycle[action](request.params.id),
    );
  }

  for (const action of PLAYER_ACTIONS) {
    app.post(
      `/api/instances/:id/players/:name/${action}`,
      {
        schema: { params: ofPlayer, body: playerActionBody, response: { 200: actionResponse } },
        config: {
          operation: {
            id: `panel${action[0]?.toUpperCase()}${action.slice(1)}Player`,
            summary: `${action[0]?.toUpperCase()}${action.slice(1)} a player`,
            tag,
            access: needs('servers:write'),
            errors: [
              'instance_not_found',
              'invalid_state',
              'player_not_found',
              'command_rejected',
              'rcon_unavailable',
              'worker_unavailable',
            ],
          },
        },
      },
      (request) => {
        const { id, name } = request.params;
        return services.gameServer.playerAction(id, { name, action, reason: request.body.reason });
      },
    );
  }

  app.get(
    '/api/instances/:id/properties',
    {
      schema: { params: ofInstance, response: { 200: propertiesResource } },
      config: {
        operation: {
          id: 'panelGetProperties',
          summary: 'Server properties',
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found', 'invalid_state', 'worker_unavailable'],
          answers: { 200: { description: 'The properties.', headers: { ETag: 'Version of the properties' } } },
        },
      },
    },
    async (request, reply) => {
      const { properties, etag } = await services.properties.read(request.params.id);
      return reply.header('etag', etag).send({ properties });
    },
  );

  app.put(
    '/api/instances/:id/properties',
    {
      schema: { params: ofInstance, body: propertiesResource, response: { 200: propertiesResource } },
      config: {
        operation: {
          id: 'panelSetProperties',
          summary: 'Set server properties',
          tag,
          access: needs('servers:write', 'admin'),
          errors: ['instance_not_found', 'invalid_state', 'precondition_failed', 'worker_unavailable'],
          answers: { 200: { description: 'The properties.', headers: { ETag: 'Version of the properties' } } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { properties, etag } = await services.properties.write(
        id,
        request.body.properties,
        request.headers['if-match'],
      );
      return reply.header('etag', etag).send({ properties });
    },
  );

  app.post(
    '/api/instances/:id/console-ticket',
    {
      schema: { params: ofInstance, response: { 201: ticket } },
      config: {
        operation: {
          id: 'createConsoleTicket',
          summary: 'A ticket that opens the console WebSocket once',
          tag,
          access: needs('logs:read'),
          errors: ['instance_not_found'],
          answers: { 201: { description: 'Open /ws/instances/{id}/console?ticket=... within 30 seconds.' } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const issued = await services.console.issueTicket(id, request.identity!, now());
      return reply.code(201).header('cache-control', 'no-store').send(issued);
    },
  );
}
