import * as z from 'zod';
import { gamerule, setGamerules } from '../../../shared/schema/gamerules.ts';
import { needs, SUPERVISOR_ERRORS } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

const tag = 'Properties';

/** The rules of the world, which the running game keeps. */
export function gameruleRoutes(app: Api, { gameServer }: Services): void {
  app.get(
    '/instances/:id/gamerules',
    {
      schema: { params: ofInstance, response: { 200: z.array(gamerule) } },
      config: {
        operation: {
          id: 'getGamerules',
          work: 'game',
          summary: 'List the game rules of a running server',
          description:
            'Asks the game for the rules that many owners set, and leaves out those that it does not know. Only while the server runs.',
          tag,
          access: needs('servers:read'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state', 'rcon_unavailable'],
        },
      },
    },
    (request) => gameServer.gamerules(request.params.id),
  );

  app.patch(
    '/instances/:id/gamerules',
    {
      schema: { params: ofInstance, body: setGamerules, response: { 200: z.array(gamerule) } },
      config: {
        operation: {
          id: 'setGamerules',
          work: 'game',
          summary: 'Set game rules of a running server',
          description:
            'They apply at once, and the world keeps them. The answer has what the game then reports. At the first rule that it refuses, `command_rejected` has its words; those before it are set.',
          tag,
          access: needs('servers:write', 'admin'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state', 'command_rejected', 'rcon_unavailable'],
        },
      },
    },
    (request) => gameServer.setGamerules(request.params.id, request.body.rules),
  );
}
