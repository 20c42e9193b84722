import * as z from 'zod';
import { commandResponse, logsResponse } from '../../../shared/schema/answers.ts';
import { clientSignal } from '../../http/client-signal.ts';
import { needs, SUPERVISOR_ERRORS } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import { isCommandLine, MAX_COMMAND_BYTES } from '../../services/console.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance, queryInteger } from '../parameters.ts';

const DEFAULT_LINES = 100;
const MOST_LINES = 1_000;

const logsQuery = z.object({
  lines: queryInteger(1, MOST_LINES).default(DEFAULT_LINES).describe('Number of lines'),
  contains: z.string().min(1).max(256).optional().describe('Search the whole log for lines that contain this text'),
});
type LogsQuery = z.infer<typeof logsQuery>;

const commandRequest = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .refine(isCommandLine, `must be one line of at most ${MAX_COMMAND_BYTES} bytes without control characters`)
      .meta({ maxLength: MAX_COMMAND_BYTES }),
  })
  .meta({ id: 'CommandRequest' });

/** The console in single requests. The live console is a WebSocket (gateway/console/). */
export function consoleRoutes(app: Api, { gameServer }: Services): void {
  app.get(
    '/instances/:id/logs',
    {
      schema: { params: ofInstance, querystring: logsQuery, response: { 200: logsResponse } },
      config: {
        operation: {
          id: 'getLogs',
          work: ({ query }) => ((query as LogsQuery).contains === undefined ? 'log' : 'search'),
          summary: 'Get the newest lines of the redacted console log, oldest first',
          description:
            'Without colour codes. Works while the instance is stopped. An answer has about 1 MiB at most: fewer lines if they are very long. ' +
            'Few searches may run at once; beyond that 429.',
          tag: 'Console',
          access: needs('logs:read'),
          errors: SUPERVISOR_ERRORS,
        },
      },
    },
    async (request, reply) => {
      return { lines: await gameServer.logs(request.params.id, request.query, clientSignal(reply)) };
    },
  );

  app.post(
    '/instances/:id/commands',
    {
      schema: { params: ofInstance, body: commandRequest, response: { 200: commandResponse } },
      config: {
        operation: {
          id: 'runCommand',
          work: 'game',
          commandIn: (body) => commandRequest.safeParse(body).data?.command,
          summary: 'Run a console command and get its output',
          tag: 'Console',
          access: needs('servers:write'),
          errors: [...SUPERVISOR_ERRORS, 'invalid_state', 'rcon_unavailable'],
        },
      },
    },
    async (request) => ({ output: await gameServer.command(request.params.id, request.body.command) }),
  );
}
