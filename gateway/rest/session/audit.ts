import { auditPage, auditQuery } from '../../../shared/schema/audit.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

export function auditRoute(app: Api, { audit }: Services): void {
  app.get(
    '/api/audit',
    {
      schema: { querystring: auditQuery, response: { 200: auditPage } },
      config: {
        operation: {
          id: 'listAudit',
          summary: 'List audit entries, newest first',
          description:
            'Every request that changed something or was refused, failed sign-ins, and commands typed into consoles. Bodies and queries are not kept; of a command only its first word. Entries are deleted after 400 days, or earlier if there are too many.',
          tag: 'Audit',
          access: sessionOnly('admin'),
        },
      },
    },
    (request) => audit.list(request.query),
  );
}
