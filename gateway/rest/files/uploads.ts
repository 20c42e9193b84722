import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance, ofUpload } from '../parameters.ts';
import { atPath, CHANGE_ERRORS } from './file-parameters.ts';
import { tusRoutes } from './tus-routes.ts';

/** Uploads of files to a server's folder. */
export function uploadRoutes(app: Api, services: Services): void {
  tusRoutes(app, services, {
    url: '/instances/:id/files/uploads',
    params: ofInstance,
    uploadParams: ofInstance.extend(ofUpload.shape),
    query: atPath,
    targetOf({ params, query }) {
      const { id } = params as { id: string };
      const { path } = query as { path: string };
      return { owner: { instanceId: id }, path };
    },
    name: 'Upload',
    what: 'an upload',
    description:
      'For large files and bad lines: what has arrived stays for 24 hours, also if Gamekeeper restarts. `Location` has the address for the pieces. The file is in its place with the last byte.',
    conditions: {
      'If-Match': { description: 'ETag of the version to replace', example: '"a591a6d4"' },
      'If-None-Match': { description: '`*`: only if nothing is there yet', example: '*' },
    },
    tag: 'Files',
    access: needsFiles('write'),
    errors: CHANGE_ERRORS,
  });
}
