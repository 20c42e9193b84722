import { fileSearch, fileUsage } from '../../../shared/schema/files.ts';
import { clientSignal } from '../../http/client-signal.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { atPath, FILE_ERRORS, searchQuery } from './file-parameters.ts';

const tag = 'Files';

/** Looks through all that is below a folder. */
export function searchRoutes(app: Api, { files }: Services): void {
  app.get(
    '/instances/:id/files/search',
    {
      schema: { params: ofInstance, querystring: searchQuery, response: { 200: fileSearch } },
      config: {
        operation: {
          id: 'searchFiles',
          work: 'fileSearch',
          summary: 'Search for files',
          description:
            'By name, by what is in text files, or both, in a folder and all below it. Who may only read finds nothing that is masked.',
          tag,
          access: needsFiles('read'),
          errors: FILE_ERRORS,
        },
      },
    },
    (request, reply) => files.search(request.params.id, request.query, request.identity!, clientSignal(reply)),
  );

  app.get(
    '/instances/:id/files/usage',
    {
      schema: { params: ofInstance, querystring: atPath, response: { 200: fileUsage } },
      config: {
        operation: {
          id: 'getFileUsage',
          work: 'fileSearch',
          summary: 'See what fills a folder',
          description: 'Sizes of all that is in a folder. Links count nothing.',
          tag,
          access: needsFiles('read'),
          errors: FILE_ERRORS,
        },
      },
    },
    (request, reply) => files.usage(request.params.id, request.query.path, clientSignal(reply)),
  );
}
