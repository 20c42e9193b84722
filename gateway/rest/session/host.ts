import { hostState } from '../../../shared/schema/host.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

/** What the panel's first page shows of this computer. */
export function hostRoute(app: Api, { host }: Services): void {
  app.get(
    '/api/host',
    {
      schema: { response: { 200: hostState } },
      config: {
        operation: {
          id: 'getHost',
          summary: 'Get how busy this computer is, and how fresh the backups are',
          tag: 'Health',
          access: sessionOnly('admin'),
        },
      },
    },
    () => host.state(),
  );
}
