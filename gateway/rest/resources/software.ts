import * as z from 'zod';
import { PLAYER_LISTS } from '../../../shared/domain/player-list.ts';
import { softwareVersions } from '../../../shared/schema/software-versions.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofSoftware } from '../parameters.ts';

const software = z
  .object({
    kind: z.string().describe('What "software" of an instance takes'),
    title: z.string(),
    edition: z.enum(['java', 'bedrock']),
    eula: z.boolean().describe('The licence must be accepted before the first start'),
    defaultVersion: z.string().nullable().describe('null: the newest stable one of the vendor'),
    versions: z.boolean().describe('A vendor lists versions: GET /software/{kind}/versions'),
    properties: z.boolean().describe('It is configured by server.properties: GET /instances/{id}/properties'),
    mods: z.enum(['mods', 'plugins']).optional().describe('What it can be given: GET /instances/{id}/mods'),
    playerLists: z.array(z.enum(PLAYER_LISTS)).describe('Those that it keeps: GET /instances/{id}/players/bans'),
    own: z.boolean().describe("The owner's own: a file in the data directory's software folder"),
  })
  .meta({ id: 'Software' });

const softwareProblem = z
  .object({
    file: z.string().describe("In the data directory's software folder"),
    problem: z.string().describe('The key, and what is wrong with it'),
  })
  .meta({ id: 'SoftwareProblem' });

export function softwareRoutes(app: Api, services: Services): void {
  const tag = 'Software';

  app.get(
    '/software',
    {
      schema: { response: { 200: z.array(software) } },
      config: {
        operation: { id: 'listSoftware', summary: 'Kinds of server software', tag, access: needs('servers:read') },
      },
    },
    async () =>
      (await services.software.kinds()).map((known) => ({
        kind: known.kind,
        title: known.title,
        edition: known.edition,
        eula: known.eula,
        defaultVersion: known.defaultVersion,
        versions: known.install !== undefined,
        properties: known.serverProperties,
        ...(known.mods && { mods: known.mods.folder }),
        playerLists: PLAYER_LISTS.filter((list) => known.playerLists[list] !== undefined),
        own: known.own,
      })),
  );

  app.get(
    '/software/problems',
    {
      schema: { response: { 200: z.array(softwareProblem) } },
      config: {
        operation: {
          id: 'listSoftwareProblems',
          summary: 'Files of own kinds of software that are none, and why',
          tag,
          access: needs('servers:read'),
        },
      },
    },
    () => services.software.problems(),
  );

  app.get(
    '/software/:kind/versions',
    {
      schema: {
        params: ofSoftware,
        response: { 200: softwareVersions },
      },
      config: {
        operation: {
          id: 'listSoftwareVersions',
          summary: 'Versions of a kind of software, newest first',
          tag,
          access: needs('servers:read'),
          errors: ['software_not_found', 'vendor_unavailable', 'worker_unavailable'],
        },
      },
    },
    (request) => services.software.versions(request.params.kind),
  );
}
