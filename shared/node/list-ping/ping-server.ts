import { connect, type Socket } from 'node:net';
import { encodeHandshake, FrameReader } from './frame-reader.ts';
import { ListPingError, type ListPingFailure } from './list-ping-error.ts';
import { decodeText, encodeFrame } from './packets.ts';
import { parseStatus, type ServerListStatus } from './parse-status.ts';

/** A server's status and its latency. */
export interface ServerPing extends ServerListStatus {
  /** Round trip of the ping packet, or of the status request if the server does not answer pings, in milliseconds. */
  readonly latencyMs: number;
}

/**
 * Asks a Minecraft server (1.7 and later) for its status with a server list ping. The answer is untrusted: it is limited in size, but must
 * be escaped wherever it is shown. Throws ListPingError if there is no usable answer.
 */
export async function pingServer({ host, port, name = host, timeoutMs }: PingTarget): Promise<ServerPing> {
  const socket = connect({ host, port, noDelay: true });
  const timer = setTimeout(() => {
    socket.destroy(new ListPingError('timeout', `within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await ask(socket, { host: name, port });
  } catch (error) {
    throw asPingError(error, `${host}:${port}`);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** The server to ask, and the maximum time for all of it. */
export interface PingTarget {
  readonly host: string;
  readonly port: number;
  /** The host name that a player would type, if it is not `host`. Only Java Edition sends it. */
  readonly name?: string;
  readonly timeoutMs: number;
}

const STATUS = 0;
const PING = 1;
/** A status with the largest icon has about 30 KiB. */
const LONGEST_STATUS_BYTES = 256 * 1024;
/** Some servers close the connection instead of answering the ping packet, others do nothing. */
const PONG_PATIENCE_MS = 1_000;

async function ask(socket: Socket, { host, port }: { host: string; port: number }): Promise<ServerPing> {
  const reader = new FrameReader(socket, LONGEST_STATUS_BYTES);
  let sent = 0;
  socket.on('connect', () => {
    sent = performance.now();
    socket.write(Buffer.concat([encodeHandshake(host, port), encodeFrame(STATUS)]));
  });
  const answer = await reader.next();
  const answeredMs = performance.now() - sent;
  if (answer.id !== STATUS) throw new ListPingError('malformed', `its first packet has the number ${answer.id}`);
  const status = parseStatus(decodeText(answer.body));
  return { ...status, latencyMs: (await pong(socket, reader)) ?? answeredMs };
}

async function pong(socket: Socket, reader: FrameReader): Promise<number | undefined> {
  const sent = performance.now();
  const impatience = setTimeout(() => socket.destroy(), PONG_PATIENCE_MS);
  try {
    socket.write(encodeFrame(PING, Buffer.alloc(8)));
    const { id } = await reader.next();
    return id === PING ? performance.now() - sent : undefined;
  } catch {
    return undefined; // the status is known anyway
  } finally {
    clearTimeout(impatience);
  }
}

function asPingError(error: unknown, where: string): ListPingError {
  const reason = reasonOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  const message: Record<ListPingFailure, string> = {
    refused: `Cannot connect to ${where}`,
    timeout: `${where} did not answer the server list ping ${detail}`,
    closed: `${where} closed the connection without an answer`,
    malformed: `${where} does not speak Minecraft: ${detail}`,
  };
  return new ListPingError(reason, message[reason], { cause: error });
}

function reasonOf(error: unknown): ListPingFailure {
  if (error instanceof ListPingError) return error.reason;
  if (error instanceof RangeError || error instanceof SyntaxError) return 'malformed';
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'closed' : 'refused';
}
