import * as z from 'zod';
import { PLAYER_ACTIONS, type PlayerAction } from '../../../shared/domain/player-action.ts';
import { actionResponse, player } from '../../../shared/schema/answers.ts';
import { needs } from '../../http/operation.ts';
import { playerActionBody } from '../../http/player-action-body.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from './parameters.ts';
import { OF_SUPERVISOR } from './supervisor-errors.ts';

const ofPlayer = ofInstance.extend({ name: z.string().describe('Player name') });
const tag = 'Players';

/** What vanilla says. */
const EXAMPLE_ANSWERS: Readonly<Record<PlayerAction, string>> = {
  kick: 'Kicked Steve: Be kind.',
  ban: 'Banned Steve: Be kind.',
  pardon: 'Unbanned Steve',
  op: 'Made Steve a server operator',
  deop: 'Made Steve no longer a server operator',
  whitelist: 'Added Steve to the whitelist',
};

export function playerRoutes(app: Api, services: Services): void {
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
          errors: [...OF_SUPERVISOR, 'invalid_state', 'rcon_unavailable'],
        },
      },
    },
    (request) => services.gameServer.players(request.params.id),
  );
  playerActionRoutes(app, services, PLAYER_ACTIONS);
}

export function playerActionRoutes(app: Api, { gameServer }: Services, actions: readonly PlayerAction[]): void {
  for (const action of actions) {
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
            errors: [...OF_SUPERVISOR, 'invalid_state', 'player_not_found', 'command_rejected', 'rcon_unavailable'],
            answers: {
              200: {
                description: "The game server's answer.",
                example: { success: true, message: EXAMPLE_ANSWERS[action] },
              },
            },
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
