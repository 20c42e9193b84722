import { settingsChange, settingsDocument } from '../../../shared/schema/settings-document.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const VERSIONED = { description: 'The settings.', headers: { ETag: 'Version of the settings, for `If-Match`' } };

export function settingsRoutes(app: Api, { settings }: Services): void {
  const tag = 'Settings';
  const access = sessionOnly('admin');

  app.get(
    '/api/settings',
    {
      schema: { response: { 200: settingsDocument } },
      config: {
        operation: {
          id: 'getSettings',
          summary: 'Get the settings',
          description: 'Secrets are shown as `********`.',
          tag,
          access,
          errors: ['invalid_state'],
          answers: { 200: VERSIONED },
        },
      },
    },
    async (_request, reply) => {
      const { settings: document, etag } = await settings.read();
      return reply.header('etag', etag).send(document);
    },
  );

  app.put(
    '/api/settings',
    {
      schema: { body: settingsChange, response: { 200: settingsDocument } },
      config: {
        operation: {
          id: 'setSettings',
          work: 'settings',
          summary: 'Change settings, without a restart',
          description:
            'Sets the given keys and keeps the others. A secret that is sent back as `********` is kept. If a change cannot be applied (a port is taken, a certificate is not usable), nothing changes. A listener that the change turns off closes after it has answered.',
          tag,
          access,
          errors: ['insufficient_storage', 'invalid_state', 'port_in_use', 'precondition_failed', 'worker_unavailable'],
          requestHeaders: {
            'If-Match': { description: 'ETag of the version that you have read', example: '"Rk1vzZ"' },
          },
          answers: { 200: VERSIONED },
        },
      },
    },
    async (request, reply) => {
      const { overridden, ...change } = request.body;
      const written = await settings.write(change, request.headers['if-match']);
      return reply.header('etag', written.etag).send(written.settings);
    },
  );
}
