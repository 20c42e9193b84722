import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { rightsOn } from '../../shared/domain/access/rights.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { typedCommand } from '../audit/record-changes.ts';
import type { Gateway } from '../gateway.ts';
import { type ConsoleSource, isCommandLine } from '../services/console.ts';
import { limitFrames } from './limits.ts';
import type { LiveConsole } from './live-consoles.ts';
import { closeSocket, type OpenSocket } from './open-sockets.ts';
import { createOutlet } from './outlet.ts';
import { readTerminalSize, type TerminalSize } from './terminal-size.ts';
import { Viewer, type ViewRequest } from './viewer.ts';

/** RFC 6455, section 7.4.1. */
export const POLICY_VIOLATION = 1008;

export interface ConnectionOptions {
  gateway: Gateway;
  request: FastifyRequest;
  instance: string;
  console: LiveConsole;
  view: ViewRequest;
  /** The viewer's terminal, if the request named its size. */
  size: TerminalSize | undefined;
}

export function serveConnection(socket: WebSocket, options: ConnectionOptions): void {
  const { gateway, request, instance, console, view, size } = options;
  const traffic = gateway.metrics.consoleTraffic(instance);
  const outlet = createOutlet(socket, request.raw.socket, traffic);
  const open = gateway.sockets.add(socket, { identity: request.identity!, instance, sent: () => outlet.sent });
  const onError = (error: unknown) => gateway.log.debug({ err: error }, 'a console call failed');
  const viewer = new Viewer({
    outlet,
    source: console.source,
    frames: console.frames,
    reel: console.reel(view.format),
    view,
    onSkipped(lines) {
      traffic.skippedLines += lines;
    },
    onFailure: onError,
  });
  traffic.viewers++;
  const leave = console.join(viewer, socket);
  socket.once('close', () => {
    traffic.viewers--;
    leave();
  });
  limitFrames(socket, () => void closeSocket(socket, { code: POLICY_VIOLATION, reason: 'too many messages' }));
  acceptInput(socket, { gateway, request, open, viewer, source: console.source, size, onError });
}

interface InputOptions extends Pick<ConnectionOptions, 'gateway' | 'request' | 'size'> {
  open: OpenSocket;
  viewer: Viewer;
  source: ConsoleSource;
  onError: (error: unknown) => void;
}

/** A text frame is one command line; a binary frame is the size of the viewer's terminal. */
function acceptInput(socket: WebSocket, { gateway, request, open, viewer, source, size, onError }: InputOptions): void {
  const { now, rateLimit, audit } = gateway;

  socket.on('message', (data: Buffer, isBinary) => {
    // Messages may arrive until the other end confirms the close; an expired credential must not type anything.
    if (socket.readyState !== socket.OPEN) return;
    const newSize = isBinary ? readTerminalSize(data) : undefined;
    if (!maySend(open)) viewer.say('not allowed');
    else if (isBinary ? !newSize : !isCommandLine(data.toString())) viewer.say('refused');
    else if (!takeCommand()) viewer.say('too fast');
    else if (newSize) resize(newSize);
    else type(data.toString());
  });
  if (size && maySend(open)) resize(size);

  function takeCommand(): boolean {
    const { kind, credential } = open.identity;
    return kind === 'local' || rateLimit.take(credential, now()) === 0;
  }

  function resize(next: TerminalSize): void {
    source.resize(next).catch(onError);
  }

  function type(line: string): void {
    void audit.write(typedCommand(request, { identity: open.identity, line, at: now() }));
    source.send(line).catch((error: unknown) => {
      if (error instanceof GamekeeperError) viewer.say(error.message);
      else onError(error);
    });
  }
}

function maySend({ identity, instance }: OpenSocket): boolean {
  return rightsOn(identity, instance)?.scopes.has('servers:write') ?? false;
}
