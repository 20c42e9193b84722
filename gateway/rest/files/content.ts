import { writtenFile } from '../../../shared/schema/files.ts';
import { mustBeNew } from '../../http/if-none-match.ts';
import { needsFiles } from '../../http/operation.ts';
import { uploadedBody } from '../../http/uploaded-body.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { CHANGE_ERRORS, FILE_ERRORS, ofFile } from './file-parameters.ts';
import { SENT_CONTENT, sendContent } from './send-content.ts';

const tag = 'Files';

/** Reads and writes the bytes of files. */
export function contentRoutes(app: Api, { files }: Services): void {
  app.get(
    '/instances/:id/files/content',
    {
      schema: { params: ofInstance, querystring: ofFile },
      config: {
        operation: {
          id: 'readFile',
          work: 'fileTransfer',
          summary: 'Read a file',
          description:
            'Who may only read gets text files with secrets masked: passwords and tokens that are named as such, and those in the settings of the server. A reader slower than 64 KiB/s is left.',
          tag,
          access: needsFiles('read'),
          errors: [...FILE_ERRORS, 'range_not_satisfiable', 'precondition_failed'],
          ...SENT_CONTENT,
        },
      },
    },
    (request, reply) =>
      sendContent(files, { instanceId: request.params.id, path: request.query.path }, { request, reply }),
  );

  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    // Any type: a JSON file is bytes like any other here.
    uploads.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    writeRoute(uploads as Api, { files });
  });
}

function writeRoute(app: Api, { files }: Pick<Services, 'files'>): void {
  app.put(
    '/instances/:id/files/content',
    {
      schema: { params: ofInstance, querystring: ofFile, response: { 200: writtenFile, 201: writtenFile } },
      config: {
        operation: {
          id: 'writeFile',
          work: 'fileTransfer',
          upload: true,
          summary: 'Write a file',
          description:
            'The body is the file. It replaces the file at once when all of it has arrived, and keeps its mode and owner. The folder must exist. With `If-Match`, only if nobody has changed the file since.',
          tag,
          access: needsFiles('write'),
          errors: [...CHANGE_ERRORS, 'precondition_failed', 'request_timeout'],
          requestHeaders: {
            'If-Match': { description: 'ETag of the version that you have read', example: '"a591a6d4"' },
            'If-None-Match': { description: '`*`: only if nothing is there yet', example: '*' },
          },
          answers: {
            200: { description: 'The file was replaced.', headers: { ETag: 'Version of the file' } },
            201: { description: 'The file is new.', headers: { ETag: 'Version of the file' } },
          },
        },
      },
    },
    async (request, reply) => {
      const { isNew, ...written } = await files.write(request.params.id, request.query.path, {
        ...uploadedBody(request, reply),
        ifMatch: request.headers['if-match'],
        isNew: mustBeNew(request.headers['if-none-match']),
      });
      return reply
        .code(isNew ? 201 : 200)
        .header('etag', written.etag)
        .send(written);
    },
  );
}
