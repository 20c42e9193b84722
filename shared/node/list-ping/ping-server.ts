import { once } from 'node:events';
import { connect } from 'node:net';
import { ListPingError, type ListPingFailure } from './list-ping-error.ts';
import { decodeText } from './packets.ts';
import { parseStatus, type ServerListStatus } from './parse-status.ts';
import { requestStatus } from './request-status.ts';

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
    await once(socket, 'connect');
    const { body, latencyMs } = await requestStatus(socket, { host: name, port });
    return { ...parseStatus(decodeText(body)), latencyMs };
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
