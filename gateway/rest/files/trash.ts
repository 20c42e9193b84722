import * as z from 'zod';
import { trashEntry } from '../../../shared/schema/files.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { CHANGE_ERRORS, FILE_ERRORS, ofTrash } from './file-parameters.ts';

const tag = 'Files';
const trashList = z.object({ entries: z.array(trashEntry) }).meta({ id: 'TrashList' });
const restored = z.object({ path: z.string().describe('Where it is again') }).meta({ id: 'RestoredFile' });

/** What was deleted in the last seven days. */
export function trashRoutes(app: Api, { files }: Services): void {
  app.get(
    '/instances/:id/files/trash',
    {
      schema: { params: ofInstance, response: { 200: trashList } },
      config: {
        operation: {
          id: 'listTrash',
          work: 'files',
          summary: 'List the trash',
          description: 'Newest first. Everything is deleted for good after 7 days.',
          tag,
          access: needsFiles('read'),
          errors: FILE_ERRORS,
        },
      },
    },
    async (request) => ({ entries: await files.trash(request.params.id, request.identity!) }),
  );

  app.post(
    '/instances/:id/files/trash/:trashId/restore',
    {
      schema: { params: ofTrash, response: { 200: restored } },
      config: {
        operation: {
          id: 'restoreFile',
          work: 'files',
          summary: 'Put something back from the trash',
          description: 'It goes back to where it was, if nothing is there now.',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
        },
      },
    },
    (request) => files.restoreFromTrash(request.params.id, request.params.trashId),
  );

  app.delete(
    '/instances/:id/files/trash/:trashId',
    {
      schema: { params: ofTrash },
      config: {
        operation: {
          id: 'deleteFromTrash',
          work: 'files',
          summary: 'Delete something in the trash for good',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
          answers: { 204: { description: 'It is gone.' } },
        },
      },
    },
    async (request, reply) => {
      await files.emptyTrash(request.params.id, request.params.trashId);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/instances/:id/files/trash',
    {
      schema: { params: ofInstance },
      config: {
        operation: {
          id: 'emptyTrash',
          work: 'files',
          summary: 'Empty the trash',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
          answers: { 204: { description: 'The trash is empty.' } },
        },
      },
    },
    async (request, reply) => {
      await files.emptyTrash(request.params.id);
      return reply.code(204).send();
    },
  );
}
