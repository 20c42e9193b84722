import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ErrorResponse } from '../../../shared/errors/error-response.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { whileGatewayIsAbsent } from '../api/api-client.ts';
import { Failure, refused } from '../api/failure.ts';

/** Pause before the connection is made again after it was lost, milliseconds. */
const RECONNECT_MS = 200;
/** Close codes by which the other side says that it has ended on purpose (RFC 6455, 7.4.1). */
const NORMAL_CLOSURE = 1000;

export interface ConsoleLine {
  seq: number;
  at: string;
  text: string;
}

export interface ConsoleFeed {
  /** One command for the server. */
  send(command: string): void;
  close(): void;
  /** Resolves when the feed has been closed from either side; rejects with the Failure that ended it. */
  readonly ended: Promise<void>;
}

/**
 * Follows an instance's console: first its last 200 lines, then what comes, redacted. A connection that is lost (the gateway was
 * started again) is made again from the line after the last one, so that none is missed or seen twice. Resolves when connected.
 */
export async function openConsole(
  home: Home,
  { id, show }: { id: string; show: (lines: readonly Pick<ConsoleLine, 'text'>[]) => void },
): Promise<ConsoleFeed> {
  let last: number | undefined;
  let closing = false;
  let socket = await open();
  const ended = stayConnected();
  // Whoever has the feed awaits it; until then it must not count as unhandled.
  ended.catch(() => undefined);
  return {
    send: (command) => socket.readyState === WebSocket.OPEN && socket.send(command),
    close() {
      closing = true;
      socket.close();
    },
    ended,
  };

  async function stayConnected(): Promise<void> {
    for (;;) {
      const [code] = (await once(socket, 'close')) as [number];
      if (closing || code === NORMAL_CLOSURE) return;
      await delay(RECONNECT_MS);
      socket = await open();
    }
  }

  async function open(): Promise<WebSocket> {
    const after = last === undefined ? '' : `&after=${last}`;
    const path = `/ws/instances/${encodeURIComponent(id)}/console?format=json${after}`;
    const opened = await whileGatewayIsAbsent(home, () => dial(home, path));
    opened.on('message', (data) => receive(String(data)));
    opened.resume();
    return opened;
  }

  function receive(frame: string): void {
    const message = JSON.parse(frame) as { lines?: ConsoleLine[]; skipped?: number; notice?: string };
    if (message.notice !== undefined) show([{ text: message.notice }]);
    if (message.skipped !== undefined) show([{ text: `[gamekeeper] skipped ${message.skipped} lines` }]);
    if (!message.lines) return;
    last = message.lines.at(-1)?.seq ?? last;
    show(message.lines);
  }
}

/** Resolves to a connected socket that is paused, so that nothing arrives before somebody listens. */
function dial(home: Home, path: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://localhost${path}`, {
    createConnection: () => connect(home.gatewaySocket),
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.pause();
      // Later failures make themselves known by 'close'.
      socket.on('error', () => undefined);
      resolve(socket);
    });
    socket.once('unexpected-response', (_, response: IncomingMessage) => {
      text(response).then((content) => reject(refusal(response, content)), reject);
    });
    socket.once('error', reject);
  });
}

function refusal(response: IncomingMessage, content: string): Failure {
  if (response.headers['content-type']?.includes('json')) return refused(JSON.parse(content) as ErrorResponse);
  return new Failure(`Gamekeeper answered ${response.statusCode} and did not open the console.`);
}
