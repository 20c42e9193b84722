import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Identity } from '../auth/identity.ts';
import { needs } from '../http/operation.ts';
import type { Api } from '../http/zod-provider.ts';
import { isCommandLine } from '../services/command-line.ts';
import type { ConsoleService, ConsoleSource } from '../services/console.ts';
import { textFrame } from './frame.ts';
import { createHub, type Hub } from './hub.ts';
import { type Format, noticeMessage } from './message.ts';
import type { OpenSocket, OpenSockets } from './open-sockets.ts';
import { Viewer } from './viewer.ts';

const params = z.object({ id: z.string().describe('Instance id') });
const querystring = z.object({
  format: z
    .enum(['text', 'json'])
    .default('text')
    .describe('json: lines with sequence numbers, for clients that resume'),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a sequence number')
    .transform(Number)
    .pipe(z.int().min(0))
    .optional()
    .describe('Sequence number of the last line that the client has'),
  ticket: z.string().max(100).optional().describe('Instead of other credentials'),
});

export interface ConsoleSocketOptions {
  console: ConsoleService;
  sockets: OpenSockets;
  socketsPerCredential: number;
  /** Takes one command of this credential from its allowance. False: too fast. */
  takeCommand: (identity: Identity) => boolean;
  /** Records a command that was typed. */
  recordCommand: (request: FastifyRequest, identity: Identity) => void;
  onError: (error: unknown) => void;
}

/** The live console of an instance (reference-api.md, section 6; api.md, Console WebSocket). Everything that refuses it comes before the upgrade. */
export function consoleSocket(app: Api, options: ConsoleSocketOptions): void {
  const hubs = new Map<string, Hub>();
  const sources = new Map<string, ConsoleSource>();
  const { console: service, sockets } = options;

  function hubOf(id: string): { hub: Hub; source: ConsoleSource } {
    const source = sources.get(id) ?? service.source(id);
    const known = hubs.get(id);
    if (known) return { hub: known, source };
    const forget = () => {
      hubs.delete(id);
      sources.delete(id);
    };
    const hub = createHub({ source, onGone: () => closeGone(id), onEmpty: forget });
    hubs.set(id, hub);
    sources.set(id, source);
    return { hub, source };
  }

  const viewing = new Map<string, Set<WebSocket>>();
  function closeGone(id: string): void {
    for (const socket of viewing.get(id) ?? []) socket.close(1000, 'the instance was deleted');
  }

  app.route({
    method: 'GET',
    url: '/ws/instances/:id/console',
    schema: { params, querystring },
    config: {
      operation: {
        id: 'openConsole',
        summary: 'Live console over WebSocket',
        description:
          'Sends redacted console text with colour codes, takes one command line per text frame. Sending needs servers:write.',
        tag: 'Console',
        access: needs('logs:read'),
        webSocket: true,
        errors: ['instance_not_found'],
        answers: { 101: { description: 'The console follows.' } },
      },
    },
    async preHandler(request) {
      const identity = request.identity!;
      await service.requireInstance(request.params.id);
      if (identity.kind !== 'local' && sockets.count(identity.credential) >= options.socketsPerCredential)
        throw new GamekeeperError(
          'rate_limited',
          `More than ${options.socketsPerCredential} consoles are open with this credential.`,
          {
            resolution: 'Close some of them, or raise limits.socketsPerCredential.',
          },
        );
    },
    handler() {
      throw new GamekeeperError('invalid_request', 'This address speaks WebSocket.', {
        resolution: 'Connect with a WebSocket client; for single requests use GET /instances/{id}/logs.',
      });
    },
    wsHandler(socket, request) {
      const { id } = request.params as z.output<typeof params>;
      const { format, after } = request.query as z.output<typeof querystring>;
      const { hub, source } = hubOf(id);
      const open = sockets.add(socket, request.identity!);
      const connection = request.raw.socket;
      const viewer = new Viewer({ connection, source, format, after, onFailure: options.onError });
      const others = viewing.get(id) ?? new Set();
      viewing.set(id, others.add(socket));
      const leave = hub.join(viewer);
      socket.once('close', () => {
        leave();
        others.delete(socket);
        if (others.size === 0) viewing.delete(id);
      });
      const say = (text: string) =>
        connection.writable && connection.write(textFrame(noticeMessage(text, format as Format)));
      socket.on('message', (data: Buffer, isBinary) => {
        const problem = refusal(data, isBinary, open);
        if (problem !== undefined) say(problem);
        else if (!options.takeCommand(open.identity)) say('too fast');
        else type(data.toString());
      });

      function type(line: string): void {
        options.recordCommand(request, open.identity);
        source.send(line).catch((error: unknown) => {
          if (error instanceof GamekeeperError) say(error.message);
          else options.onError(error);
        });
      }
    },
  });
}

/** Why a frame is not typed into the console; `undefined`: it is. */
function refusal(data: Buffer, isBinary: boolean, { identity }: OpenSocket): string | undefined {
  if (!identity.scopes.has('servers:write')) return 'not allowed';
  return isBinary || !isCommandLine(data.toString()) ? 'refused' : undefined;
}
