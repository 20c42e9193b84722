import { actionResponse } from '../../../shared/schema/answers.ts';
import { job } from '../../../shared/schema/job.ts';
import { worldList, worldReplacement, worldReset } from '../../../shared/schema/worlds.ts';
import { clientSignal } from '../../http/client-signal.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';
import { CHANGE_ERRORS, FILE_ERRORS } from './file-parameters.ts';

const tag = 'Files';

/** Lists worlds, replaces them by uploaded ones, and empties them. */
export function worldRoutes(app: Api, { worlds }: Services): void {
  const { prefix } = app;
  app.get(
    '/instances/:id/worlds',
    {
      schema: { params: ofInstance, response: { 200: worldList } },
      config: {
        operation: {
          id: 'listWorlds',
          work: 'fileSearch',
          summary: 'List the worlds',
          description:
            "The folders at the top of the server's folder that have a `level.dat`, with what it says. To download one: `GET .../files/archive?path=`.",
          tag,
          access: needsFiles('read'),
          errors: FILE_ERRORS,
        },
      },
    },
    (request, reply) => worlds.list(request.params.id, clientSignal(reply)),
  );

  app.post(
    '/instances/:id/worlds/replace',
    {
      schema: { params: ofInstance, body: worldReplacement, response: { 200: actionResponse, 202: job } },
      config: {
        operation: {
          id: 'replaceWorld',
          work: 'restore',
          summary: 'Replace a world by an uploaded one',
          description:
            'The world is found wherever it lies in the ZIP. The server must be stopped. Its folder is backed up first, and the worlds are swapped at once: a failure changes nothing. If there is no such world yet, it is added.',
          tag,
          access: needsFiles('write'),
          errors: [...CHANGE_ERRORS, 'invalid_request', 'backup_in_progress'],
          requestHeaders: PREFER,
          answers: { 200: { description: 'Replaced.' }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) =>
      answerOf(await worlds.replace(request.params.id, request.body), { request, reply, prefix }),
  );

  app.post(
    '/instances/:id/worlds/reset',
    {
      schema: { params: ofInstance, body: worldReset, response: { 200: actionResponse, 202: job } },
      config: {
        operation: {
          id: 'resetWorld',
          work: 'restore',
          summary: 'Start a world anew',
          description:
            'Empties the world, with its Nether and End, so that the next start creates a new one, and sets `level-seed` if `seed` is there. The server must be stopped. Its folder is backed up first.',
          tag,
          access: needsFiles('write'),
          errors: [...CHANGE_ERRORS, 'invalid_request', 'backup_in_progress'],
          requestHeaders: PREFER,
          answers: { 200: { description: 'Emptied.' }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) => answerOf(await worlds.reset(request.params.id, request.body), { request, reply, prefix }),
  );
}
