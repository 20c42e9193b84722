import * as z from 'zod';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { job } from '../../../shared/schema/job.ts';
import { installMod, modChanges, modList, modSearch, updateMods } from '../../../shared/schema/mods.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { modrinthQuery, ofInstance, ofMod } from '../parameters.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';

const removeQuery = z.object({
  force: z.enum(['true', 'false']).default('false').describe('`true`: even if another mod needs it'),
});

const OF_INSTANCE: readonly ErrorCode[] = [
  'instance_not_found',
  'mods_unsupported',
  'invalid_state',
  'worker_unavailable',
];
const OF_CHANGE: readonly ErrorCode[] = [
  ...OF_INSTANCE,
  'mod_not_found',
  'mod_conflict',
  'backup_in_progress',
  'already_in_progress',
  'insufficient_storage',
];
const CHANGED = {
  200: { description: 'The changes. With state `waiting` they are made at the next start.' },
  202: ACCEPTED,
};

const tag = 'Mods';

export function modRoutes(app: Api, services: Services): void {
  readRoutes(app, services);
  changeRoutes(app, services);
}

function readRoutes(app: Api, { mods }: Services): void {
  app.get(
    '/instances/:id/mods',
    {
      schema: { params: ofInstance, response: { 200: modList } },
      config: {
        operation: {
          id: 'listMods',
          work: 'modList',
          summary: 'List the mods or plugins of an instance',
          description: 'Every JAR in the folder, including those that Gamekeeper did not install.',
          tag,
          access: needs('servers:read'),
          errors: OF_INSTANCE,
        },
      },
    },
    (request) => mods.list(request.params.id),
  );

  app.get(
    '/instances/:id/mods/search',
    {
      schema: { params: ofInstance, querystring: modrinthQuery, response: { 200: modSearch } },
      config: {
        operation: {
          id: 'searchMods',
          work: 'modSearch',
          summary: 'Search Modrinth for mods or plugins that fit an instance',
          tag,
          access: needs('servers:read'),
          errors: [...OF_INSTANCE, 'vendor_unavailable'],
        },
      },
    },
    (request) => mods.search(request.params.id, request.query, request.identity!),
  );
}

function changeRoutes(app: Api, { mods }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/:id/mods',
    {
      schema: { params: ofInstance, body: installMod, response: { 200: modChanges, 202: job } },
      config: {
        operation: {
          id: 'installMod',
          work: 'mods',
          summary: 'Install a Modrinth project with its dependencies',
          tag,
          access: needs('servers:write', 'admin'),
          errors: [...OF_CHANGE, 'version_not_found', 'vendor_unavailable'],
          requestHeaders: PREFER,
          answers: CHANGED,
        },
      },
    },
    async (request, reply) => answerOf(await mods.install(request.params.id, request.body), { request, reply, prefix }),
  );

  app.post(
    '/instances/:id/mods/update',
    {
      schema: { params: ofInstance, body: updateMods.prefault({}), response: { 200: modChanges, 202: job } },
      config: {
        operation: {
          id: 'updateMods',
          work: 'mods',
          summary: 'Update one mod or plugin, or all',
          tag,
          access: needs('servers:write', 'admin'),
          errors: [...OF_CHANGE, 'vendor_unavailable'],
          requestHeaders: PREFER,
          answers: CHANGED,
        },
      },
    },
    async (request, reply) => answerOf(await mods.update(request.params.id, request.body), { request, reply, prefix }),
  );

  app.delete(
    '/instances/:id/mods/:mod',
    {
      schema: { params: ofMod, querystring: removeQuery, response: { 200: modChanges, 202: job } },
      config: {
        operation: {
          id: 'removeMod',
          work: 'mods',
          summary: 'Remove a mod or plugin; its configuration and data are kept',
          tag,
          access: needs('servers:write', 'admin'),
          errors: OF_CHANGE,
          requestHeaders: PREFER,
          answers: CHANGED,
        },
      },
    },
    async (request, reply) => {
      const { id, mod } = request.params;
      return answerOf(await mods.remove(id, { mod, force: request.query.force === 'true' }), {
        request,
        reply,
        prefix,
      });
    },
  );
}
