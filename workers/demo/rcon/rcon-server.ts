import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleLog } from '../console/console-log.ts';
import { listen } from '../listen.ts';
import * as rcon from './packet.ts';

export interface RconServerOptions {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  readonly log: ConsoleLog;
  /** Delay of each answer to a command, in milliseconds. */
  readonly slowAnswersMs: number;
  readonly runCommand: (command: string) => Promise<string>;
}

export interface RconServer {
  readonly port: number;
  close(): void;
}

/**
 * Starts an RCON server with the oddities of vanilla's: it closes the connection unless each read is exactly one packet, and answers an
 * unknown type with `Unknown request <hex>`, even before the login. Throws the socket's error.
 */
export async function startRconServer(options: RconServerOptions): Promise<RconServer> {
  const { host, log } = options;
  const sockets = new Set<Socket>();
  let clients = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    clients += 1;
    void serveClient(socket, { options, number: clients }).finally(() => sockets.delete(socket));
  });
  const port = await listen(server, { host, port: options.port });
  log.info('Thread RCON Listener started');
  log.info(`RCON running on ${host}:${port}`);
  return {
    port,
    close: () => {
      server.close();
      // A last answer, such as the one to `stop`, is still sent.
      for (const socket of sockets) socket.destroySoon();
      log.info('Thread RCON Listener stopped');
    },
  };
}

/** The maximum that vanilla reads at once. */
const READ_BYTES = 1460;
/** In bytes. A shorter read is not a packet. */
const SHORTEST_READ = 10;

async function serveClient(socket: Socket, client: { options: RconServerOptions; number: number }): Promise<void> {
  const { options, number } = client;
  const name = `RCON Client ${(socket.remoteAddress ?? '').replace(/^(?:::ffff:)?/, '/')}`;
  options.log.info(`Thread ${name} started`, 'RCON Listener #1');
  socket.setNoDelay(true);
  const read = createReader(socket);
  let loggedIn = false;
  for (let packet = await read(READ_BYTES); packet !== undefined; packet = await read(READ_BYTES)) {
    if (packet.length < SHORTEST_READ || rcon.numberAt(packet, 0) !== packet.length - 4) break;
    const id = rcon.numberAt(packet, 4);
    const kind = rcon.numberAt(packet, 8);
    const text = rcon.textAt(packet, 12);
    if (kind === rcon.LOGIN) {
      loggedIn = text !== '' && text === options.password;
      socket.write(rcon.encodePacket(loggedIn ? id : rcon.REFUSED_ID, rcon.LOGIN_ANSWER, ''));
    } else if (kind !== rcon.COMMAND) {
      socket.write(rcon.encodePacket(id, rcon.COMMAND_ANSWER, `Unknown request ${(kind >>> 0).toString(16)}`));
    } else if (!loggedIn) {
      socket.write(rcon.encodePacket(rcon.REFUSED_ID, rcon.LOGIN_ANSWER, ''));
    } else {
      const answer = await options.runCommand(text);
      if (options.slowAnswersMs > 0) await sleep(options.slowAnswersMs);
      for (const piece of rcon.cutAnswer(answer)) socket.write(rcon.encodePacket(id, rcon.COMMAND_ANSWER, piece));
    }
  }
  socket.destroySoon();
  options.log.info(`Thread ${name} shutting down`, `${name} #${number}`);
}

/**
 * Reads from a socket like Java's `InputStream.read(buffer, 0, most)`: waits for data, then returns what is there, at most `most` bytes;
 * undefined at the end. Data that arrives between two reads is read together.
 */
function createReader(socket: Socket): (most: number) => Promise<Buffer | undefined> {
  let wake = (): void => {};
  for (const event of ['readable', 'end', 'close', 'error']) socket.on(event, () => wake());
  return async (most) => {
    while (socket.readableLength === 0) {
      if (socket.destroyed || socket.readableEnded) return undefined;
      // An empty read makes Node.js notice the end of the stream.
      socket.read();
      if (socket.readableLength > 0) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return socket.read(Math.min(most, socket.readableLength)) ?? undefined;
  };
}
