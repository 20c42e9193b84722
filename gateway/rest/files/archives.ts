import { Readable } from 'node:stream';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { actionResponse } from '../../../shared/schema/answers.ts';
import { createArchive, extractArchive } from '../../../shared/schema/files.ts';
import { job } from '../../../shared/schema/job.ts';
import { attachment } from '../../http/content-disposition.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';
import { atPath, CHANGE_ERRORS, FILE_ERRORS } from './file-parameters.ts';

const tag = 'Files';
const ZIP = 'application/zip';

/** Downloads folders as ZIP files, and creates and unpacks ZIP files. */
export function fileArchiveRoutes(app: Api, { exports, files }: Services): void {
  const { prefix } = app;
  app.get(
    '/instances/:id/files/archive',
    {
      schema: { params: ofInstance, querystring: atPath },
      config: {
        operation: {
          id: 'downloadFolder',
          work: 'export',
          summary: 'Download a folder as a ZIP',
          description:
            'It is created during the download, from the files as they are at that moment. Links are left out. Nothing in it is masked, so the right to write is needed. A download slower than 64 KiB/s ends with an error.',
          tag,
          access: needsFiles('write'),
          errors: FILE_ERRORS,
          answers: { 200: { description: 'The ZIP.', contentType: ZIP } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { path } = request.query;
      await exports.check(id);
      const zip = request.method === 'HEAD' ? Readable.from([]) : await exports.openFolder(id, path);
      const name = path === '' ? id : splitFilePath(path).name;
      return reply
        .type(ZIP)
        .header('content-disposition', attachment(`${name}.zip`))
        .send(zip);
    },
  );

  app.post(
    '/instances/:id/files/archive',
    {
      schema: { params: ofInstance, body: createArchive, response: { 200: actionResponse, 202: job } },
      config: {
        operation: {
          id: 'createArchive',
          work: 'archives',
          summary: 'Create a ZIP',
          description:
            'It appears when it is whole, and never in place of something else. Links are left out. Nothing in it is masked. Answers when it is there.',
          tag,
          access: needsFiles('write'),
          errors: [...CHANGE_ERRORS, 'invalid_request'],
          requestHeaders: PREFER,
          answers: { 200: { description: 'Created.' }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) =>
      answerOf(await files.archive(request.params.id, request.body), { request, reply, prefix }),
  );

  app.post(
    '/instances/:id/files/extract',
    {
      schema: { params: ofInstance, body: extractArchive, response: { 200: actionResponse, 202: job } },
      config: {
        operation: {
          id: 'extractArchive',
          work: 'archives',
          summary: 'Unpack a ZIP',
          description:
            'Answers when everything is in its place. Nothing is replaced: if one of the names at the top of the ZIP is there already, nothing is changed. ZIP files with links, dangerous names or wrong sizes are refused.',
          tag,
          access: needsFiles('write'),
          errors: [...CHANGE_ERRORS, 'invalid_request'],
          requestHeaders: PREFER,
          answers: { 200: { description: 'Unpacked.' }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) => {
      const { path, to = splitFilePath(path).folder } = request.body;
      return answerOf(await files.extract(request.params.id, { path, to }), { request, reply, prefix });
    },
  );
}
