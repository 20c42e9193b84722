import * as z from 'zod';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Identity } from '../auth/identity.ts';
import type { Gateway } from '../gateway.ts';
import { needs } from '../http/operation.ts';
import type { Api } from '../http/zod-provider.ts';
import { POLICY_VIOLATION, serveConnection } from './connection.ts';
import { tooManyConsoles } from './limits.ts';
import { createLiveConsoles } from './live-consoles.ts';
import { closeSocket } from './open-sockets.ts';
import { terminalSizeQuery } from './terminal-size.ts';

const params = z.object({ id: z.string().describe('Instance id') });
const querystring = z
  .object({
    format: z
      .enum(['text', 'json'])
      .default('text')
      .describe('`json`: lines with sequence numbers, for clients that resume'),
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a sequence number')
      .transform(Number)
      .pipe(z.int().min(0))
      .optional()
      .describe('Resume after the line with this sequence number'),
    unfinished: z
      .enum(['0', '1'])
      .default('0')
      .describe('`1`, with `format=json`: also send a line that has not ended yet (a prompt, a progress bar)'),
    ...terminalSizeQuery,
    ticket: z.string().max(100).optional().describe('A console ticket, instead of other credentials'),
  })
  .refine(({ columns, rows }) => (columns === undefined) === (rows === undefined), {
    path: ['columns'],
    message: 'must come together with rows',
  });

/** The live console of an instance (docs/api.md, The live console). A request is refused before the upgrade, with an ErrorResponse. */
export function registerConsoleSocket(app: Api, gateway: Gateway): void {
  const { services, sockets } = gateway;
  const consoleOf = createLiveConsoles(services.console);
  const refusalOf = (identity: Identity, instance: string) =>
    tooManyConsoles(identity, instance, { sockets, limits: gateway.settings.limits });

  app.route({
    method: 'GET',
    url: '/ws/instances/:id/console',
    schema: { params, querystring },
    config: {
      operation: {
        id: 'openConsole',
        summary: 'Open the live console (WebSocket)',
        description:
          'Sends redacted console text with colour codes. Each text frame from the client is one command line; sending needs `servers:write`. With `format=json` and `unfinished=1`, `{"unfinished": "> "}` is the current content of a line that has not ended yet; the next lines replace it. The server\'s terminal takes the size that was last set by a client that may send: with `columns` and `rows`, or later with a binary frame that holds `{"columns": 120, "rows": 30}`.',
        tag: 'Console',
        access: needs('logs:read'),
        webSocket: true,
        errors: ['instance_not_found'],
        answers: { 101: { description: 'The console stream begins.' } },
      },
    },
    async preHandler(request) {
      const { id } = request.params;
      await services.console.requireInstance(id);
      const refusal = refusalOf(request.identity!, id);
      if (refusal) throw refusal;
    },
    handler() {
      throw new GamekeeperError('invalid_request', 'This path accepts only WebSocket connections.', {
        resolution: 'Connect with a WebSocket client. For single requests use GET /instances/{id}/logs.',
      });
    },
    wsHandler(socket, request) {
      const { id } = request.params as z.output<typeof params>;
      const { format, after, unfinished, columns, rows } = request.query as z.output<typeof querystring>;
      // Other sockets may have opened since the check before the upgrade (CVE-2025-69198).
      const refusal = refusalOf(request.identity!, id);
      if (refusal) {
        void closeSocket(socket, { code: POLICY_VIOLATION, reason: refusal.message });
        return;
      }
      serveConnection(socket, {
        gateway,
        request,
        instance: id,
        console: consoleOf(id),
        view: { format, after, unfinished: format === 'json' && unfinished === '1' },
        size: columns !== undefined && rows !== undefined ? { columns, rows } : undefined,
      });
    },
  });
}
