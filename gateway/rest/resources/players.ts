import * as z from 'zod';
import { PLAYER_ACTIONS } from '../../../shared/domain/player-action.ts';
import { actionResponse, player } from '../../../shared/schema/answers.ts';
import { needs } from '../../http/operation.ts';
import { playerActionBody } from '../../http/player-action-body.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from './parameters.ts';

const ofPlayer = ofInstance.extend({ name: z.string().describe('Player name') });

export function playerRoutes(app: Api, { gameServer }: Services): void {
  const tag = 'Players';

  app.get(
    '/instances/:id/players',
    {
      schema: { params: ofInstance, response: { 200: z.array(player) } },
      config: {
        operation: {
          id: 'listPlayers',
          summary: 'Players that are online',
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found', 'invalid_state', 'rcon_unavailable', 'worker_unavailable'],
        },
      },
    },
    (request) => gameServer.players(request.params.id),
  );

  for (const action of PLAYER_ACTIONS) {
    app.post(
      `/instances/:id/players/:name/${action}`,
      {
        schema: { params: ofPlayer, body: playerActionBody, response: { 200: actionResponse } },
        config: {
          operation: {
            id: `${action}Player`,
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
        return gameServer.playerAction(id, { name, action, reason: request.body.reason });
      },
    );
  }
}
