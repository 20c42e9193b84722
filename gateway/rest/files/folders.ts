import { deletedFile, fileList, fileMove, newFolder } from '../../../shared/schema/files.ts';
import { clientSignal } from '../../http/client-signal.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { CHANGE_ERRORS, deletionQuery, FILE_ERRORS, listQuery } from './file-parameters.ts';

const tag = 'Files';

/** Lists folders, and creates, moves, copies and deletes what is in them. */
export function folderRoutes(app: Api, { files }: Services): void {
  app.get(
    '/instances/:id/files',
    {
      schema: { params: ofInstance, querystring: listQuery, response: { 200: fileList } },
      config: {
        operation: {
          id: 'listFiles',
          work: 'files',
          summary: 'List a folder',
          description: 'Folders first. Links are shown and not followed.',
          tag,
          access: needsFiles('read'),
          errors: FILE_ERRORS,
        },
      },
    },
    (request, reply) => files.list(request.params.id, request.query, clientSignal(reply)),
  );

  app.delete(
    '/instances/:id/files',
    {
      schema: { params: ofInstance, querystring: deletionQuery, response: { 200: deletedFile } },
      config: {
        operation: {
          id: 'deleteFile',
          work: 'files',
          summary: 'Delete a file or folder',
          description: 'It is kept in the trash for 7 days unless it is deleted permanently.',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
        },
      },
    },
    (request) => {
      const { path, permanently } = request.query;
      const isPermanent = permanently === 'true';
      return files.remove({ instanceId: request.params.id, path, isPermanent }, request.identity!);
    },
  );

  app.post(
    '/instances/:id/files/folder',
    {
      schema: { params: ofInstance, body: newFolder },
      config: {
        operation: {
          id: 'createFolder',
          work: 'files',
          summary: 'Create a folder',
          description: 'The folder above must exist.',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
          answers: { 201: { description: 'The folder is there.' } },
        },
      },
    },
    async (request, reply) => {
      await files.makeFolder(request.params.id, request.body.path);
      return reply.code(201).send();
    },
  );

  app.post(
    '/instances/:id/files/move',
    {
      schema: { params: ofInstance, body: fileMove },
      config: {
        operation: {
          id: 'moveFile',
          work: 'files',
          summary: 'Move or rename a file or folder',
          description: 'Nothing is replaced: `to` must be free, and the folder above it must exist.',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
          answers: { 204: { description: 'It was moved.' } },
        },
      },
    },
    async (request, reply) => {
      await files.move(request.params.id, request.body);
      return reply.code(204).send();
    },
  );

  app.post(
    '/instances/:id/files/copy',
    {
      schema: { params: ofInstance, body: fileMove },
      config: {
        operation: {
          id: 'copyFile',
          work: 'fileTransfer',
          summary: 'Copy a file or folder',
          description: 'Answers when the copy is complete. Ends, and leaves nothing behind, if the client leaves.',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
          answers: { 204: { description: 'It was copied.' } },
        },
      },
    },
    async (request, reply) => {
      await files.copy(request.params.id, request.body, clientSignal(reply));
      return reply.code(204).send();
    },
  );
}
