import { createServer, type Server } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { createLink, type Link, type LinkTiming } from '../../../gateway/link/link.ts';
import type { TokenNotice } from '../../../shared/node/link/link-message.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { LatestValue } from '../../../shared/node/primitives/latest-value.ts';
import { until } from '../machine/until.ts';

/** A program that answers over a real link as a daemon does. */
export interface EchoDaemon {
  link: Link;
  /** Requests that have arrived. */
  readonly requests: number;
  /** What the proxy has told it. */
  notices: TokenNotice[];
  /** The consoles that are open. A revoked grant closes them. */
  consoles: Set<WebSocket>;
  connected(): Promise<void>;
  /** Ends the link, as a daemon that stops. */
  close(): void;
}

export interface EchoDaemonOptions {
  /** Where it dials. */
  address: string;
  daemonId: string;
  /** Resolves to a token that opens a link. */
  token: () => Promise<string>;
  timing?: LinkTiming;
}

/**
 * Links it until the end of the test. `POST /echo` returns its body, `GET /bytes?n=` as many bytes, `GET /held` never answers, WebSockets echo;
 * everything else is answered with the daemon's id.
 */
export function echoDaemon(t: Pick<Test, 'teardown'>, options: EchoDaemonOptions): EchoDaemon {
  const { address, daemonId, token, timing = { delayShare: 0.02 } } = options;
  const notices: TokenNotice[] = [];
  const consoles = new Set<WebSocket>();
  const counted = { requests: 0 };
  const server = echoServer(daemonId, counted, consoles);
  const link = createLink({
    credentials: {
      watchLink: (signal) => new LatestValue({ issuer: address, daemonId }).follow(signal),
      linkToken: token,
    },
    serve: (connection) => void server.emit('connection', connection),
    onTokenNotice(notice) {
      notices.push(notice);
      if (notice.type === 'grant-revoked') for (const console of consoles) console.close();
    },
    onAnswer: () => undefined,
    log: createLogger({ name: 'echo', level: 'silent' }),
    timing,
  });
  t.teardown(() => link.close());
  return {
    link,
    get requests() {
      return counted.requests;
    },
    notices,
    consoles,
    connected: async () =>
      void (await until('the link is open', () => link.status.state === 'connected', { describe: () => link.status })),
    close: () => link.close(),
  };
}

function echoServer(daemonId: string, counted: { requests: number }, consoles: Set<WebSocket>): Server {
  const webSockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    counted.requests++;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://daemon');
    if (pathname === '/held') return;
    if (pathname === '/echo') return void pipeline(request, response, () => undefined);
    if (pathname === '/bytes') return void pipeline(bytes(Number(searchParams.get('n'))), response, () => undefined);
    response.end(daemonId);
  });
  server.on('upgrade', (request, socket, head) => {
    webSockets.handleUpgrade(request, socket, head, (console) => {
      consoles.add(console);
      console.on('error', () => undefined);
      console.on('close', () => consoles.delete(console));
      console.on('message', (data, isBinary) => console.send(data, { binary: isBinary }));
    });
  });
  return server;
}

/** As many bytes, made as fast as they are read. */
function bytes(count: number): Readable {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = count;
  return new Readable({
    read() {
      const size = Math.min(left, chunk.length);
      left -= size;
      this.push(size === 0 ? null : chunk.subarray(0, size));
    },
  });
}
