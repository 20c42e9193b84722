import * as z from 'zod';
import { SOFTWARE } from '../../../shared/domain/software/catalogue.ts';
import { softwareVersions } from '../../../shared/schema/software-versions.ts';
import { needs } from '../../http/operation.ts';
import { shortened } from '../../http/quoted.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const software = z
  .object({
    kind: z.string().describe('What "software" of an instance takes'),
    title: z.string(),
    edition: z.enum(['java', 'bedrock']),
    eula: z.boolean().describe('The licence must be accepted before the first start'),
    defaultVersion: z.string().nullable().describe('null: the newest stable one of the vendor'),
    versions: z.boolean().describe('A vendor lists versions: GET /software/{kind}/versions'),
  })
  .meta({ id: 'Software' });

const OFFERED = SOFTWARE.map(({ kind, title, edition, eula, defaultVersion, install }) => ({
  kind,
  title,
  edition,
  eula,
  defaultVersion,
  versions: install !== undefined,
}));

export function softwareRoutes(app: Api, services: Services): void {
  const tag = 'Software';

  app.get(
    '/software',
    {
      schema: { response: { 200: z.array(software) } },
      config: {
        operation: { id: 'listSoftware', summary: 'Kinds of server software', tag, access: needs('servers:read') },
      },
    },
    () => OFFERED,
  );

  app.get(
    '/software/:kind/versions',
    {
      schema: {
        params: z.object({ kind: z.string().overwrite(shortened).describe('Kind of software') }),
        response: { 200: softwareVersions },
      },
      config: {
        operation: {
          id: 'listSoftwareVersions',
          summary: 'Versions of a kind of software, newest first',
          tag,
          access: needs('servers:read'),
          errors: ['software_not_found', 'vendor_unavailable', 'worker_unavailable'],
        },
      },
    },
    (request) => services.software.versions(request.params.kind),
  );
}
