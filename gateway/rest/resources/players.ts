import * as z from 'zod';
import { PLAYER_ACTIONS, type PlayerAction } from '../../../shared/domain/players/player-action.ts';
import type { PlayerList } from '../../../shared/domain/players/player-list.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { actionResponse, player } from '../../../shared/schema/answers.ts';
import {
  addedPlayers,
  addPlayers,
  allowedPlayer,
  ban,
  operator,
  seenPlayer,
} from '../../../shared/schema/player-lists.ts';
import { playerSkins } from '../../../shared/schema/player-skins.ts';
import { needs, SUPERVISOR_ERRORS } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance, ofSkin } from '../parameters.ts';

const ofPlayer = ofInstance.extend({ name: z.string().describe('Player name') });
const PNG = 'image/png';
/** Another skin has another name. */
const SKIN_CACHING = 'private, max-age=604800, immutable';
const tag = 'Players';

/** Of changes, which a stopped server needs in its files. */
const CHANGE_ERRORS: readonly ErrorCode[] = [
  ...SUPERVISOR_ERRORS,
  'invalid_state',
  'rcon_unavailable',
  'backup_in_progress',
  'insufficient_storage',
];

/** Ten years. */
const LONGEST_BAN_SECONDS = 315_576_000;

const playerActionBody = z
  .strictObject({
    reason: z
      .string()
      .max(200)
      .regex(/^\P{Cc}*$/u, 'must not hold control characters')
      .trim()
      .min(1)
      .optional(),
    durationSeconds: z
      .int()
      .min(60)
      .max(LONGEST_BAN_SECONDS)
      .optional()
      .describe('Of a ban, which ends by itself after this time. Absent: permanent'),
    level: z
      .int()
      .min(1)
      .max(4)
      .optional()
      .describe('Of an operator. While the server runs, only over the management protocol. Absent: its default'),
  })
  .prefault({})
  .meta({ id: 'PlayerActionRequest' });

const SUMMARIES: Readonly<Record<PlayerAction, string>> = {
  kick: 'Kick a player',
  ban: 'Ban a player',
  pardon: 'Unban a player',
  op: 'Make a player an operator',
  deop: 'Remove a player from the operators',
  whitelist: 'Add a player to the allowlist',
  unwhitelist: 'Remove a player from the allowlist',
};

/** The answers of the vanilla server. */
const EXAMPLE_ANSWERS: Readonly<Record<PlayerAction, string>> = {
  kick: 'Kicked Steve: Be kind.',
  ban: 'Banned Steve: Be kind.',
  pardon: 'Unbanned Steve',
  op: 'Made Steve a server operator',
  deop: 'Made Steve no longer a server operator',
  whitelist: 'Added Steve to the whitelist',
  unwhitelist: 'Removed Steve from the whitelist',
};

const LISTS: Readonly<Record<PlayerList, { id: string; summary: string }>> = {
  bans: { id: 'listBans', summary: 'List banned players' },
  operators: { id: 'listOperators', summary: 'List operators' },
  allowlist: { id: 'listAllowedPlayers', summary: 'List players on the allowlist' },
};

export function playerRoutes(app: Api, services: Services): void {
  app.get(
    '/instances/:id/players',
    {
      schema: { params: ofInstance, response: { 200: z.array(player) } },
      config: {
        operation: {
          id: 'listPlayers',
          work: 'game',
          summary: 'List the players online',
          tag,
          access: needs('servers:read'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state', 'rcon_unavailable'],
        },
      },
    },
    (request) => services.gameServer.players(request.params.id),
  );
  app.get(
    '/instances/:id/players/seen',
    {
      schema: { params: ofInstance, response: { 200: z.array(seenPlayer) } },
      config: {
        operation: {
          id: 'listSeenPlayers',
          work: 'game',
          summary: 'List players seen before',
          description: 'The last 1,000 players, newest first. Works while the server is stopped.',
          tag,
          access: needs('servers:read'),
          errors: SUPERVISOR_ERRORS,
        },
      },
    },
    (request) => services.gameServer.seenPlayers(request.params.id),
  );
  app.post(
    '/instances/:id/players/allowlist',
    {
      schema: { params: ofInstance, body: addPlayers, response: { 200: addedPlayers } },
      config: {
        operation: {
          id: 'allowPlayers',
          work: 'game',
          summary: 'Add several players to the allowlist',
          description: 'Tries each player, and returns why some were not added. Works while the server is stopped.',
          tag,
          access: needs('servers:write'),
          errors: CHANGE_ERRORS,
        },
      },
    },
    (request) => services.gameServer.allowPlayers(request.params.id, request.body.names),
  );
  skinRoutes(app, services);
  listRoute(app, services, 'bans', ban);
  listRoute(app, services, 'operators', operator);
  listRoute(app, services, 'allowlist', allowedPlayer);
  playerActionRoutes(app, services, PLAYER_ACTIONS);
}

function skinRoutes(app: Api, { playerSkins: skins }: Services): void {
  app.get(
    '/instances/:id/skins',
    {
      schema: { params: ofInstance, response: { 200: playerSkins } },
      config: {
        operation: {
          id: 'listPlayerSkins',
          work: 'skin',
          summary: 'List the skins of players',
          description:
            'Never waits for Mojang: skins that are missing are fetched in the background. Works while the server is stopped.',
          tag,
          access: needs('servers:read'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state'],
        },
      },
    },
    (request) => skins.list(request.params.id),
  );
  app.get(
    '/instances/:id/skins/:texture',
    {
      schema: { params: ofSkin },
      config: {
        operation: {
          id: 'getPlayerSkin',
          work: 'skin',
          summary: 'Get a skin of a player',
          description:
            'A picture of 64 by 64 pixels, or 64 by 32. The face is at 8, 8 and the hat at 40, 8, each 8 by 8.',
          tag,
          access: needs('servers:read'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state', 'player_not_found'],
          answers: { 200: { description: 'The picture.', contentType: PNG } },
        },
      },
    },
    async (request, reply) => {
      const { id, texture } = request.params;
      const png = Buffer.from(await skins.read(id, texture));
      return reply.type(PNG).header('cache-control', SKIN_CACHING).send(png);
    },
  );
}

function listRoute(app: Api, { gameServer }: Services, list: PlayerList, entry: z.ZodObject): void {
  app.get(
    `/instances/:id/players/${list}`,
    {
      schema: { params: ofInstance, response: { 200: z.array(entry) } },
      config: {
        operation: {
          id: LISTS[list].id,
          work: 'serverFile',
          summary: LISTS[list].summary,
          description: "Reads the server's own file. Works while the server is stopped.",
          tag,
          access: needs('servers:read'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state'],
        },
      },
    },
    (request) => gameServer.listedPlayers(request.params.id, list),
  );
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
            work: 'game',
            summary: SUMMARIES[action],
            tag,
            access: needs('servers:write'),
            errors: [...CHANGE_ERRORS, 'player_not_found', 'command_rejected'],
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
        return gameServer.playerAction(id, { name, action, ...request.body });
      },
    );
  }
}
