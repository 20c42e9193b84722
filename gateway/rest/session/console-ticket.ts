import * as z from 'zod';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

const ticket = z
  .object({ ticket: z.string(), expiresAt: z.iso.datetime() })
  .meta({ id: 'ConsoleTicket', description: 'Valid once, for one console, for 30 seconds' });

/** Tickets let browsers open a console: their WebSockets cannot send headers. */
export function consoleTicketRoute(app: Api, services: Services, now: () => number): void {
  app.post(
    '/api/instances/:id/console-ticket',
    {
      schema: { params: ofInstance, response: { 201: ticket } },
      config: {
        operation: {
          id: 'createConsoleTicket',
          summary: 'Create a ticket that opens the console WebSocket once',
          tag: 'Panel',
          access: needs('logs:read'),
          errors: ['instance_not_found'],
          answers: { 201: { description: 'Connect to /ws/instances/{id}/console?ticket=... within 30 seconds.' } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const issued = await services.console.issueTicket(id, request.identity!, now());
      return reply.code(201).send(issued);
    },
  );
}
