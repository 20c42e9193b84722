import * as z from 'zod';
import { SOFTWARE } from '../../../shared/domain/software/catalogue.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';

const software = z
  .object({
    kind: z.string().describe('What "software" of an instance takes'),
    title: z.string(),
    edition: z.enum(['java', 'bedrock']),
    eula: z.boolean().describe('The licence must be accepted before the first start'),
    defaultVersion: z.string().nullable().describe('null: the newest stable one of the vendor'),
  })
  .meta({ id: 'Software' });

const OFFERED = SOFTWARE.map(({ kind, title, edition, eula, defaultVersion }) => ({
  kind,
  title,
  edition,
  eula,
  defaultVersion,
}));

export function softwareRoute(app: Api): void {
  app.get(
    '/software',
    {
      schema: { response: { 200: z.array(software) } },
      config: {
        operation: {
          id: 'listSoftware',
          summary: 'Kinds of server software',
          tag: 'Software',
          access: needs('servers:read'),
        },
      },
    },
    () => OFFERED,
  );
}
