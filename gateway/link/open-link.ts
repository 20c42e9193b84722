import type { ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { AboutDaemon } from '../../shared/node/link/about-daemon.ts';
import { CLOSING_NOTICE } from '../../shared/node/link/closing-notice.ts';
import { startHeartbeat } from '../../shared/node/link/heartbeat.ts';
import { type LinkMessage, parseLinkMessage } from '../../shared/node/link/link-message.ts';
import { LINK_CLOSE } from '../../shared/node/link/protocol.ts';
import type { TelemetryMessage } from '../../shared/node/link/telemetry.ts';
import { WebSocketDuplex } from '../../shared/node/link/web-socket-duplex.ts';
import { serveSession } from './serve-session.ts';

/** Time for answers under way when a link is closed. Milliseconds. */
const CLOSE_GRACE_MS = 3_000;

export type LinkEnd = 'lost' | 'replaced' | 'unlinked';

/** A link that serves the proxy's requests until it ends. */
export interface OpenLink {
  /** Settles when the link has ended. */
  readonly ended: Promise<LinkEnd>;
  /** Tells the proxy something. Does nothing once the link has ended. */
  tell(message: TelemetryMessage | AboutDaemon): void;
  /** Accepts no more requests, and closes when those under way are done, or after this time. */
  close(graceMs?: number): void;
}

export interface OpenLinkOptions {
  serve: (socket: Duplex) => void;
  onMessage: (message: LinkMessage) => void;
  onLatency: (ms: number) => void;
  heartbeat: { pingEveryMs?: number; answerWithinMs?: number };
}

/** Serves a WebSocket that has just opened. Call it before the next turn of the event loop, which may bring the first message. */
export function openLink(socket: WebSocket, { serve, onMessage, onLatency, heartbeat }: OpenLinkOptions): OpenLink {
  const session: ServerHttp2Session = serveSession(new WebSocketDuplex(socket), serve);
  const ended = Promise.withResolvers<LinkEnd>();
  socket.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? undefined : parseLinkMessage(data.toString());
    if (message) onMessage(message);
  });
  socket.once('close', (code) => {
    // With an error, so that the bodies that it was receiving do not look complete.
    session.destroy(new Error('The link has ended.'));
    ended.resolve(endOf(code));
  });
  // A session that fails would leave the socket open.
  session.once('close', () => socket.close());
  startHeartbeat(socket, { onLatency, onSilence: () => socket.terminate(), ...heartbeat });
  const tell = (text: string) => socket.send(text, () => undefined); // A link that fails is noticed elsewhere.
  return {
    ended: ended.promise,
    tell: (message) => tell(JSON.stringify(message)),
    close(graceMs = CLOSE_GRACE_MS) {
      // The proxy ends the link when it has read all answers. A session that is closed here takes along what the proxy has not read.
      tell(CLOSING_NOTICE);
      const timer = setTimeout(() => socket.terminate(), graceMs);
      socket.once('close', () => clearTimeout(timer));
    },
  };
}

function endOf(code: number): LinkEnd {
  if (code === LINK_CLOSE.replaced) return 'replaced';
  return code === LINK_CLOSE.unlinked ? 'unlinked' : 'lost';
}
