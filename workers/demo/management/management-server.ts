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

export interface ManagementSetting {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  /** Absent: without TLS. */
  readonly keystore?: { readonly file: string; readonly password: string };
}

export interface ManagementServer {
  close(): void;
}

export interface ManagementServerSetting {
  readonly setting: ManagementSetting;
  readonly game: Game;
  readonly mainThread: MainThread;
  readonly log: ConsoleLog;
}

/**
 * Vanilla's management server: JSON-RPC over WebSocket for whoever brings the secret. Starts before the server is ready.
 *
 * @throws the socket's error where the port cannot be had; what is wrong with the secret or the keystore
 */
export async function startManagementServer({
  setting,
  game,
  mainThread,
  log,
}: ManagementServerSetting): Promise<ManagementServer> {
  if (!SECRET.test(setting.secret))
    throw new Error('Invalid management server secret, must be 40 alphanumeric characters');
  // Few want this server: the others need not have the package in memory.
  const { WebSocketServer } = await import('ws');
  const methods = managementMethods(game);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_MESSAGE_BYTES });
  const server = setting.keystore ? createTlsServer(await identity(setting.keystore)) : createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (bringsSecret(request, setting.secret))
      sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client));
    else refuse(socket);
  });
  sockets.on('connection', (client: WebSocket) => {
    client.on('error', () => {}); // it closes as well
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
  const port = await listen(server, setting);
  log.info(`Json-RPC Management connection listening on ${setting.host}:${port}`);
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
  socket.on('error', () => {}); // it may have gone
  socket.end(`HTTP/1.1 401 ${STATUS_CODES[401]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
