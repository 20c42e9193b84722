import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Game } from '../commands/command.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { MainThread } from '../game/main-thread.ts';
import { listen } from '../listen.ts';
import { answerRpc, notification } from './json-rpc.ts';
import { managementMethods } from './methods.ts';

export interface ManagementEndpoint {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  /** Absent: without TLS. */
  readonly keystore?: { readonly file: string; readonly password: string };
}

export interface ManagementServer {
  close(): void;
}

export interface ManagementServerOptions {
  readonly endpoint: ManagementEndpoint;
  readonly game: Game;
  readonly mainThread: MainThread;
  readonly log: ConsoleLog;
}

/**
 * Starts vanilla's management server: JSON-RPC over WebSocket, protected by a secret. Runs before the server is ready. Throws the socket's
 * error, or an error about the secret or the keystore.
 */
export async function startManagementServer({
  endpoint,
  game,
  mainThread,
  log,
}: ManagementServerOptions): Promise<ManagementServer> {
  if (!SECRET.test(endpoint.secret))
    throw new Error('Invalid management server secret, must be 40 alphanumeric characters');
  // Imported here because few demo servers need it: the others save the memory.
  const { WebSocketServer } = await import('ws');
  const methods = managementMethods(game);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_MESSAGE_BYTES });
  const server = endpoint.keystore ? createTlsServer(await identity(endpoint.keystore)) : createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (bringsSecret(request, endpoint.secret))
      sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client));
    else refuse(socket);
  });
  sockets.on('connection', (client: WebSocket) => {
    client.on('error', () => {}); // 'close' follows
    client.on('message', (data) => {
      void mainThread
        .run(() => answerRpc(String(data), methods))
        .then((answer) => answer && client.send(JSON.stringify(answer)));
    });
  });
  const stopWatching = game.players.watch(({ uuid, name }, movement) => {
    const message = JSON.stringify(notification(`minecraft:notification/players/${movement}`, { id: uuid, name }));
    for (const client of sockets.clients) client.send(message);
  });
  const port = await listen(server, endpoint);
  log.info(`Json-RPC Management connection listening on ${endpoint.host}:${port}`);
  return {
    close() {
      stopWatching();
      for (const client of sockets.clients) client.terminate();
      server.close();
    },
  };
}

const SECRET = /^[A-Za-z0-9]{40}$/;
const LONGEST_MESSAGE_BYTES = 1024 * 1024;

async function identity({ file, password }: { file: string; password: string }) {
  return { pfx: await readFile(file), passphrase: password };
}

function bringsSecret({ headers }: IncomingMessage, secret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${secret}`));
}

function refuse(socket: Duplex): void {
  socket.on('error', () => {}); // the client may have disconnected
  socket.end(`HTTP/1.1 401 ${STATUS_CODES[401]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
