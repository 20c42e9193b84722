import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Identity } from '../auth/identity.ts';
import { rightsOn } from '../auth/rights.ts';
import { needs } from '../http/operation.ts';
import type { Api } from '../http/zod-provider.ts';
import type { ConsoleTraffic } from '../metrics/console-traffic.ts';
import { type ConsoleService, type ConsoleSource, isCommandLine } from '../services/console.ts';
import { FrameMaker } from './frame.ts';
import { limitFrames } from './frame-limit.ts';
import { createHub, type Hub } from './hub.ts';
import { closeSocket, type OpenSocket, type OpenSockets } from './open-sockets.ts';
import { createOutlet } from './outlet.ts';
import { readTerminalSize, type TerminalSize, terminalSizeQuery } from './terminal-size.ts';
import { Viewer } from './viewer.ts';

const params = z.object({ id: z.string().describe('Instance id') });
const querystring = z
  .object({
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
    unfinished: z
      .enum(['0', '1'])
      .default('0')
      .describe(
        '1, with format=json: what a line that has not ended yet shows (a prompt, a progress bar) comes as well',
      ),
    ...terminalSizeQuery,
    ticket: z.string().max(100).optional().describe('Instead of other credentials'),
  })
  .refine(({ columns, rows }) => (columns === undefined) === (rows === undefined), {
    path: ['columns'],
    message: 'must come together with rows',
  });

/** RFC 6455, section 7.4.1. */
const NORMAL_CLOSURE = 1000;
const POLICY_VIOLATION = 1008;

export interface ConsoleSocketOptions {
  console: ConsoleService;
  sockets: OpenSockets;
  /** How many consoles may be open at a time; asked each time. */
  limits: () => { socketsPerCredential: number; socketsPerUser: number; socketsPerInstance: number };
  /** Takes one command of this credential from its allowance. False: too fast. */
  takeCommand: (identity: Identity) => boolean;
  /** Records a command that was typed. */
  recordCommand: (request: FastifyRequest, identity: Identity, line: string) => void;
  /** Where the traffic of an instance's console is counted. */
  traffic: (instance: string) => ConsoleTraffic;
  onError: (error: unknown) => void;
}

/** The console of one instance while somebody looks at it. */
interface LiveConsole {
  hub: Hub;
  source: ConsoleSource;
  sockets: Set<WebSocket>;
}

/**
 * The live console of an instance (reference-api.md, section 6; api.md, Console WebSocket). Everything that refuses it comes before
 * the upgrade.
 */
export function registerConsoleSocket(app: Api, options: ConsoleSocketOptions): void {
  const { console: service, sockets } = options;
  const consoles = new Map<string, LiveConsole>();
  const frames = new FrameMaker();

  function consoleOf(id: string): LiveConsole {
    const known = consoles.get(id);
    if (known) return known;
    const source = service.source(id);
    const viewing = new Set<WebSocket>();
    const hub = createHub({
      source,
      frames,
      onGone() {
        for (const socket of viewing) socket.close(NORMAL_CLOSURE, 'the instance was deleted');
      },
      onEmpty: () => consoles.delete(id),
    });
    const live = { hub, source, sockets: viewing };
    consoles.set(id, live);
    return live;
  }

  /** Why one more console would be too many. The local administrator always gets in. */
  function noRoom({ kind, credential, username }: Identity, instance: string): GamekeeperError | undefined {
    if (kind === 'local') return undefined;
    const { socketsPerCredential, socketsPerUser, socketsPerInstance } = options.limits();
    if (sockets.count({ credential }) >= socketsPerCredential)
      return tooMany('with this credential', socketsPerCredential, 'limits.socketsPerCredential');
    if (sockets.count({ username }) >= socketsPerUser)
      return tooMany('by this user', socketsPerUser, 'limits.socketsPerUser');
    if (sockets.count({ instance }) >= socketsPerInstance)
      return tooMany('on this instance', socketsPerInstance, 'limits.socketsPerInstance');
    return undefined;
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
          'Sends redacted console text with colour codes, takes one command line per text frame. Sending needs servers:write. With format=json and unfinished=1, {"unfinished": "> "} says what the line behind the last one shows so far; the next lines take it back. The server\'s terminal takes the size of whoever may send and named one last: with columns and rows, or later with a binary frame that holds {"columns": 120, "rows": 30}.',
        tag: 'Console',
        access: needs('logs:read'),
        webSocket: true,
        errors: ['instance_not_found'],
        answers: { 101: { description: 'The console follows.' } },
      },
    },
    async preHandler(request) {
      await service.requireInstance(request.params.id);
      const refusal = noRoom(request.identity!, request.params.id);
      if (refusal) throw refusal;
    },
    handler() {
      throw new GamekeeperError('invalid_request', 'This address speaks WebSocket.', {
        resolution: 'Connect with a WebSocket client; for single requests use GET /instances/{id}/logs.',
      });
    },
    wsHandler(socket, request) {
      const { id } = request.params as z.output<typeof params>;
      const { format, after, unfinished, columns, rows } = request.query as z.output<typeof querystring>;
      // Others may have been let in since that was asked before the upgrade (CVE-2025-69198).
      const refusal = noRoom(request.identity!, id);
      if (refusal) {
        void closeSocket(socket, { code: POLICY_VIOLATION, reason: refusal.message });
        return;
      }
      const { hub, source, sockets: viewing } = consoleOf(id);
      const traffic = options.traffic(id);
      const outlet = createOutlet(socket, request.raw.socket, traffic);
      const open = sockets.add(socket, { identity: request.identity!, instance: id, sent: () => outlet.sent });
      viewing.add(socket);
      traffic.viewers++;
      const viewer = new Viewer({
        outlet,
        source,
        frames,
        format,
        after,
        unfinished: format === 'json' && unfinished === '1',
        onSkipped(lines) {
          traffic.skippedLines += lines;
        },
        onFailure: options.onError,
      });
      const leave = hub.join(viewer);
      socket.once('close', () => {
        viewing.delete(socket);
        traffic.viewers--;
        leave();
      });
      limitFrames(
        socket,
        () => void closeSocket(socket, { code: POLICY_VIOLATION, reason: 'more messages than anybody types' }),
      );
      socket.on('message', (data: Buffer, isBinary) => {
        // It may go on arriving until the other end agrees to the close; a credential that has ended types nothing more.
        if (socket.readyState !== socket.OPEN) return;
        const size = isBinary ? readTerminalSize(data) : undefined;
        if (!maySend(open)) viewer.say('not allowed');
        else if (isBinary ? !size : !isCommandLine(data.toString())) viewer.say('refused');
        else if (!options.takeCommand(open.identity)) viewer.say('too fast');
        else if (size) resize(size);
        else type(data.toString());
      });
      if (columns !== undefined && rows !== undefined && maySend(open)) resize({ columns, rows });

      function resize(size: TerminalSize): void {
        source.resize(size).catch(options.onError);
      }

      function type(line: string): void {
        options.recordCommand(request, open.identity, line);
        source.send(line).catch((error: unknown) => {
          if (error instanceof GamekeeperError) viewer.say(error.message);
          else options.onError(error);
        });
      }
    },
  });
}

function tooMany(whose: string, most: number, setting: string): GamekeeperError {
  return new GamekeeperError('rate_limited', `${most} consoles are open ${whose}; more are not allowed.`, {
    resolution: `Close some of them, or raise ${setting}.`,
  });
}

function maySend({ identity, instance }: OpenSocket): boolean {
  return rightsOn(identity, instance)?.scopes.has('servers:write') ?? false;
}
