import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleLog } from '../console/console-log.ts';
import { listen } from '../listen.ts';
import { createReader } from './one-read.ts';
import * as rcon from './packet.ts';

export interface RconServerSetting {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  readonly log: ConsoleLog;
  /** Holds back each answer to a command, in milliseconds. */
  readonly slowAnswersMs: number;
  readonly runCommand: (command: string) => Promise<string>;
}

export interface RconServer {
  readonly port: number;
  close(): void;
}

/**
 * Vanilla's RCON server, with its oddities: one read must hold exactly one packet, or the connection is dropped without
 * a word; a kind that it does not know is answered with `Unknown request <hex>`, before the login too.
 *
 * @throws the socket's error where the port cannot be had
 */
export async function startRconServer(setting: RconServerSetting): Promise<RconServer> {
  const { host, log } = setting;
  const sockets = new Set<Socket>();
  let clients = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    clients += 1;
    void serveClient(socket, { setting, number: clients }).finally(() => sockets.delete(socket));
  });
  const port = await listen(server, { host, port: setting.port });
  log.info('Thread RCON Listener started');
  log.info(`RCON running on ${host}:${port}`);
  return {
    port,
    close: () => {
      server.close();
      // An answer that was just written, to `stop` for one, still goes out.
      for (const socket of sockets) socket.destroySoon();
      log.info('Thread RCON Listener stopped');
    },
  };
}

/** The most that vanilla reads at once, in bytes. */
const READ_BYTES = 1460;
/** Nothing shorter can be a packet. */
const SHORTEST_READ = 10;

async function serveClient(socket: Socket, client: { setting: RconServerSetting; number: number }): Promise<void> {
  const { setting, number } = client;
  const name = `RCON Client ${(socket.remoteAddress ?? '').replace(/^(?:::ffff:)?/, '/')}`;
  setting.log.info(`Thread ${name} started`, 'RCON Listener #1');
  socket.setNoDelay(true);
  const read = createReader(socket);
  let loggedIn = false;
  for (let packet = await read(READ_BYTES); packet !== undefined; packet = await read(READ_BYTES)) {
    if (packet.length < SHORTEST_READ || rcon.numberAt(packet, 0) !== packet.length - 4) break;
    const id = rcon.numberAt(packet, 4);
    const kind = rcon.numberAt(packet, 8);
    const text = rcon.textAt(packet, 12);
    if (kind === rcon.LOGIN) {
      loggedIn = text !== '' && text === setting.password;
      socket.write(rcon.encodePacket(loggedIn ? id : rcon.REFUSED_ID, rcon.LOGIN_ANSWER, ''));
    } else if (kind !== rcon.COMMAND) {
      socket.write(rcon.encodePacket(id, rcon.COMMAND_ANSWER, `Unknown request ${(kind >>> 0).toString(16)}`));
    } else if (!loggedIn) {
      socket.write(rcon.encodePacket(rcon.REFUSED_ID, rcon.LOGIN_ANSWER, ''));
    } else {
      const answer = await setting.runCommand(text);
      if (setting.slowAnswersMs > 0) await sleep(setting.slowAnswersMs);
      for (const piece of rcon.cutAnswer(answer)) socket.write(rcon.encodePacket(id, rcon.COMMAND_ANSWER, piece));
    }
  }
  socket.destroySoon();
  setting.log.info(`Thread ${name} shutting down`, `${name} #${number}`);
}
