import * as z from 'zod';
import { PLAYER_LISTS } from '../../../shared/domain/players/player-list.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { SOFTWARE_FAMILIES, softwareFamily } from '../../../shared/domain/software/software-family.ts';
import { versionSourceOf } from '../../../shared/domain/software/version-source.ts';
import { checkedKind, kindFile } from '../../../shared/schema/kind-file.ts';
import { softwareVersions } from '../../../shared/schema/software-versions.ts';
import { kindVariable, toKindVariables } from '../../../shared/schema/variables.ts';
import { type Access, needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import type { KnownDefinition } from '../../services/software.ts';
import { ofSoftware } from '../parameters.ts';

const software = z
  .object({
    kind: z.string().describe('The value for `software` of an instance'),
    title: z.string(),
    edition: z.enum(['java', 'bedrock']).describe('Of Minecraft; without meaning for other games'),
    listPing: z.boolean().describe('Whether it is Minecraft, whose servers answer the server list ping'),
    transport: z.enum(['tcp', 'udp']).describe('Of the port that players use'),
    eula: z.boolean().describe('The EULA must be accepted before the first start'),
    defaultVersion: z.string().nullable().describe('null: the newest stable version of the vendor'),
    command: z.boolean().describe('Whether each of its servers has a command of its own that starts it: `launch`'),
    program: z
      .enum(['installed', 'included', 'system', 'folder', 'command'])
      .describe(
        'Where its program comes from: Gamekeeper installs it, it is a part of Gamekeeper, a package of the operating system, the folder of the server, or `launch` names it',
      ),
    missing: z.string().optional().describe('How to get a program of the operating system'),
    family: z
      .enum(SOFTWARE_FAMILIES)
      .optional()
      .describe('A stopped instance can change its software to another one of the same family. Absent: it cannot'),
    versions: z.boolean().describe('Whether GET /software/{kind}/versions lists versions'),
    untested: z.boolean().describe('True if it has only been tested with stand-ins for the real game'),
    properties: z.boolean().describe('Whether it has server.properties: GET /instances/{id}/properties'),
    gamerules: z.boolean().describe('Whether it has game rules: GET /instances/{id}/gamerules'),
    mods: z
      .enum(['mods', 'plugins'])
      .optional()
      .describe('Whether it runs mods or plugins: GET /instances/{id}/mods. Absent: neither'),
    playerLists: z
      .array(z.enum(PLAYER_LISTS))
      .describe('The player lists that it keeps: GET /instances/{id}/players/bans'),
    variables: z.array(kindVariable).describe('What its servers can have each in their own way'),
    ports: z.array(z.object({ name: z.string(), transport: z.enum(['tcp', 'udp']) })).describe('Its further ports'),
    own: z.boolean().describe('Custom software: a file in the software folder of the data directory'),
  })
  .meta({ id: 'Software' });

const softwareProblem = z
  .object({
    file: z.string().describe('File in the software folder of the data directory'),
    problem: z.string().describe('The key and what is wrong with it'),
  })
  .meta({ id: 'SoftwareProblem' });

const tag = 'Software';

export function softwareRoutes(app: Api, services: Services): void {
  readRoutes(app, services);
  kindRoutes(app, services);
}

/** A kind concerns all servers, and removing one names those that use it. */
const kinds: Access = { kind: 'scope', scope: 'servers:write', role: 'admin', of: 'everything' };

function kindRoutes(app: Api, services: Services): void {
  app.post(
    '/software/check',
    {
      schema: { body: kindFile, response: { 200: checkedKind } },
      config: {
        operation: {
          id: 'checkKind',
          work: 'kinds',
          summary:
            'Check the file of a kind, and convert an egg of Pterodactyl or Pelican or a template of PufferPanel',
          description: 'Nothing is saved or run. Read all of it before you save it: a kind decides which program runs.',
          tag,
          access: kinds,
        },
      },
    },
    (request) => services.software.check(request.body),
  );

  app.post(
    '/software',
    {
      schema: { body: kindFile, response: { 201: software } },
      config: {
        operation: {
          id: 'saveKind',
          work: 'kinds',
          summary: 'Add a kind to the software folder',
          description: 'Only for local administrators. The text is the JSON file of a kind.',
          tag,
          access: kinds,
          errors: ['software_exists'],
          answers: { 201: { description: 'Saved.' } },
        },
      },
    },
    async (request, reply) =>
      reply.code(201).send(toSoftware(await services.software.save(request.body, request.identity!))),
  );

  app.delete(
    '/software/:kind',
    {
      schema: { params: ofSoftware },
      config: {
        operation: {
          id: 'removeKind',
          work: 'kinds',
          summary: 'Remove a kind of your own that no server uses',
          tag,
          access: kinds,
          errors: ['software_not_found', 'software_in_use'],
          answers: { 204: { description: 'Removed.' } },
        },
      },
    },
    async (request, reply) => {
      await services.software.remove(request.params.kind);
      return reply.code(204).send();
    },
  );
}

function readRoutes(app: Api, services: Services): void {
  app.get(
    '/software',
    {
      schema: { response: { 200: z.array(software) } },
      config: {
        operation: { id: 'listSoftware', summary: 'List the software', tag, access: needs('servers:read') },
      },
    },
    async () => (await services.software.kinds()).map(toSoftware),
  );

  app.get(
    '/software/problems',
    {
      schema: { response: { 200: z.array(softwareProblem) } },
      config: {
        operation: {
          id: 'listSoftwareProblems',
          summary: 'List invalid custom software files and their problems',
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
          work: 'vendor',
          summary: 'List the versions of a software, newest first',
          tag,
          access: needs('servers:read'),
          errors: ['software_not_found', 'vendor_unavailable', 'worker_unavailable'],
        },
      },
    },
    (request) => services.software.versions(request.params.kind),
  );
}

function toSoftware(known: KnownDefinition): z.infer<typeof software> {
  const family = softwareFamily(known);
  return {
    kind: known.kind,
    title: known.title,
    edition: known.edition,
    listPing: known.listPing,
    transport: known.gamePort.transport,
    eula: known.eula,
    defaultVersion: known.defaultVersion,
    command: known.launch.type === 'program',
    program: programOf(known),
    ...(known.launch.type === 'system' && { missing: known.launch.missing }),
    ...(family && { family }),
    versions: versionSourceOf(known) !== undefined,
    untested: known.untested === true,
    properties: known.serverProperties,
    gamerules: known.gamerules !== undefined,
    ...(known.mods && { mods: known.mods.folder }),
    playerLists: PLAYER_LISTS.filter((list) => known.playerLists[list] !== undefined),
    variables: toKindVariables(known),
    ports: (known.ports ?? []).map(({ name, transport }) => ({ name, transport })),
    own: known.own,
  };
}

function programOf({ launch, install }: SoftwareDefinition): z.infer<typeof software>['program'] {
  if (launch.type === 'program') return 'command';
  if (launch.type === 'embedded') return 'included';
  if (launch.type === 'system') return 'system';
  return install ? 'installed' : 'folder';
}
