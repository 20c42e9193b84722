import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { NOTICE_PREFIX } from '../../../shared/domain/console/notice-prefix.ts';
import type { ErrorResponse } from '../../../shared/errors/error-response.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { requirePrivateFolder } from '../../../shared/node/ipc/socket-folder.ts';
import { whileGatewayIsAbsent } from '../api/api-client.ts';
import { Failure, refused } from '../api/failure.ts';

/** Pause before reconnecting, milliseconds. */
const RECONNECT_MS = 200;
/** The other side closed the connection on purpose (RFC 6455, section 7.4.1). */
const NORMAL_CLOSURE = 1000;

export interface ConsoleLine {
  seq: number;
  at: string;
  text: string;
  /** True for a line of Gamekeeper's own; whatever a game prints has no such mark. */
  notice?: boolean;
}

export interface ConsoleFeed {
  /** Sends one command to the server. */
  send(command: string): void;
  close(): void;
  /** Resolves when either side has closed the feed. Rejects with the Failure that ended it. */
  readonly ended: Promise<void>;
}

/**
 * Follows an instance's redacted console: its last 200 lines, then new ones. If the connection is lost (the gateway restarted), it
 * reconnects and continues after the last line, so no line is missed or repeated. Resolves when connected.
 */
export async function openConsole(
  home: Home,
  { id, show }: { id: string; show: (lines: readonly Pick<ConsoleLine, 'text' | 'notice'>[]) => void },
): Promise<ConsoleFeed> {
  let last: number | undefined;
  let closing = false;
  let socket = await open();
  const ended = stayConnected();
  ended.catch(() => undefined); // the caller gets the rejection
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
    if (message.notice !== undefined) show([{ text: message.notice, notice: true }]);
    if (message.skipped !== undefined)
      show([{ text: `${NOTICE_PREFIX}skipped ${message.skipped} lines`, notice: true }]);
    if (!message.lines) return;
    last = message.lines.at(-1)?.seq ?? last;
    show(message.lines);
  }
}

/** Resolves to a connected socket. It is paused, so that nothing arrives before there is a listener. */
async function dial(home: Home, path: string): Promise<WebSocket> {
  await requirePrivateFolder(home.gatewaySocket);
  const socket = new WebSocket(`ws://localhost${path}`, {
    createConnection: () => connect(home.gatewaySocket),
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.pause();
      socket.on('error', () => undefined); // 'close' follows
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
  return new Failure(`The console could not be opened: ${response.statusCode}.`);
}
