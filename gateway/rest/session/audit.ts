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
          summary: 'Who changed what, when, from where and with which result',
          description:
            'Every request that changed something or was refused, sign-ins that failed, and commands typed into consoles. Newest first; neither bodies nor queries are kept, of a command its first word. The oldest entries are forgotten after 400 days, or when there are too many.',
          tag: 'Audit',
          access: sessionOnly('admin'),
        },
      },
    },
    (request) => audit.list(request.query),
  );
}
