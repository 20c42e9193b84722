import * as z from 'zod';
import { configuredPort } from '../../../shared/schema/ports.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

export function portsRoute(app: Api, { ports }: Services): void {
  app.get(
    '/ports',
    {
      schema: { response: { 200: z.array(configuredPort) } },
      config: {
        operation: {
          id: 'listPorts',
          work: 'serverFile',
          summary: 'List the ports that the instances you can see are set to use',
          description: 'Two instances may have the same port, but cannot run at the same time.',
          tag: 'Instances',
          access: needs('servers:read'),
        },
      },
    },
    (request) => ports.list(request.identity!),
  );
}
