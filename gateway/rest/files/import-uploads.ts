import * as z from 'zod';
import { requireLocalAdministrator } from '../../auth/access.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofUpload } from '../parameters.ts';
import { tusRoutes } from './tus-routes.ts';

const byName = z.object({
  name: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^/\\\p{Cc}]*$/u, 'must be the name of a file without its folder')
    .meta({ description: 'Name of the file', examples: ['survival.zip'] }),
});

/** Uploads of archives that are to be imported. Whoever may import may upload, and nobody sees those of another account. */
export function importUploadRoutes(app: Api, services: Services): void {
  tusRoutes(app, services, {
    url: '/instances/import/uploads',
    params: z.object({}),
    uploadParams: ofUpload,
    query: byName,
    targetOf({ identity, query }) {
      requireLocalAdministrator(identity!, ['upload']);
      const { name = '' } = query as { name?: string };
      return { owner: { account: identity!.username }, path: name };
    },
    name: 'ImportUpload',
    what: 'an upload for an import',
    description:
      'For an archive on another computer. `Location` has the address for the pieces, and ends with the id for `upload` of `POST /instances/import`. An archive is removed when it is imported, or 24 hours after its last use. A user has at most 5: a sixth replaces the one that was used longest ago. Only for local administrators.',
    tag: 'Instances',
    access: needs('servers:write', 'admin'),
    errors: ['file_not_found', 'already_in_progress', 'insufficient_storage', 'invalid_state', 'worker_unavailable'],
  });
}
