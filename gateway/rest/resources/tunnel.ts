import { tunnelResponse } from '../../../shared/schema/answers.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

export function tunnelRoute(app: Api, { tunnel }: Services): void {
  app.get(
    '/instances/:id/tunnel',
    {
      schema: { params: ofInstance, response: { 200: tunnelResponse } },
      config: {
        operation: {
          id: 'getTunnel',
          summary: 'Get the public address of an instance',
          tag: 'Tunnel',
          access: needs('tunnels:manage'),
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => tunnel.status(request.params.id),
  );
}
