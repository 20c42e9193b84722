import * as z from 'zod';
import { actionResponse } from '../../../shared/schema/answers.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const ofStore = z.object({ name: z.string().min(1).max(64).describe('Name in `backups.stores` of the settings') });

export function storeRoutes(app: Api, { stores }: Services): void {
  app.post(
    '/api/stores/:name/test',
    {
      schema: { params: ofStore, response: { 200: actionResponse } },
      config: {
        operation: {
          id: 'testStore',
          work: 'storeTest',
          summary: 'Test a store for copies of backups',
          description:
            'Writes, reads and removes a small object. A new folder on the same disk is put into use by this test. If an SFTP server is refused, the error names its host key.',
          tag: 'Settings',
          access: sessionOnly('admin'),
          errors: [
            'store_not_found',
            'store_refused',
            'store_unavailable',
            'insufficient_storage',
            'worker_unavailable',
          ],
        },
      },
    },
    (request) => stores.test(request.params.name),
  );
}
