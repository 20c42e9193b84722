import * as z from 'zod';
import { fileHistory, versionRestore, writtenFile } from '../../../shared/schema/files.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { CHANGE_ERRORS, FILE_ERRORS, ofFile } from './file-parameters.ts';
import { SENT_CONTENT, sendContent } from './send-content.ts';

const tag = 'Files';
const ofVersion = ofFile.extend({
  version: z
    .string()
    .max(100)
    .meta({ description: 'As listed', examples: ['mfx2k1a0-5f3a9c01'] }),
});

/** Earlier versions of files. */
export function fileHistoryRoutes(app: Api, { files }: Services): void {
  app.get(
    '/instances/:id/files/history',
    {
      schema: { params: ofInstance, querystring: ofFile, response: { 200: fileHistory } },
      config: {
        operation: {
          id: 'listFileVersions',
          work: 'files',
          summary: 'List the earlier versions of a file',
          description:
            'Newest first. Whenever a file is replaced through the panel, this API or SFTP, its former content is kept: 20 versions of a file of up to 16 MiB, for 30 days. A version belongs to the path, also after the file was deleted or renamed.',
          tag,
          access: needsFiles('read'),
          errors: FILE_ERRORS,
        },
      },
    },
    (request) => files.history(request.params.id, request.query.path),
  );

  app.get(
    '/instances/:id/files/history/content',
    {
      schema: { params: ofInstance, querystring: ofVersion },
      config: {
        operation: {
          id: 'readFileVersion',
          work: 'fileTransfer',
          summary: 'Read an earlier version of a file',
          description: 'Who may only read gets it with secrets masked.',
          tag,
          access: needsFiles('read'),
          errors: [...FILE_ERRORS, 'range_not_satisfiable', 'precondition_failed'],
          ...SENT_CONTENT,
        },
      },
    },
    (request, reply) => sendContent(files, { instanceId: request.params.id, ...request.query }, { request, reply }),
  );

  app.post(
    '/instances/:id/files/history/restore',
    {
      schema: { params: ofInstance, body: versionRestore, response: { 200: writtenFile } },
      config: {
        operation: {
          id: 'restoreFileVersion',
          work: 'files',
          summary: 'Put an earlier version of a file back',
          description: 'The present content becomes an earlier version, so this can be undone.',
          tag,
          access: needsFiles('write'),
          errors: CHANGE_ERRORS,
        },
      },
    },
    (request) => files.restoreVersion({ instanceId: request.params.id, ...request.body }),
  );
}
