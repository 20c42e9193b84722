import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { RconError } from '../rcon/rcon-error.ts';
import type { AdminAddress, AdminChannel } from './admin-session.ts';
import { createQuietEnd, type QuietEnd } from './quiet-end.ts';

/** Milliseconds without another line after which an answer, or the answer to the password, is complete. */
const QUIET_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;
const REFUSED = /\b(?:wrong|incorrect|invalid|denied|failed|banned)\b/i;
/** Options of telnet (RFC 854), which some servers send, and the NUL characters of others. */
const TELNET = /\xff[\xfb-\xfe].|\xff.|\0/gs;

/**
 * Commands over a text connection that first asks for a password: the external console of Teeworlds, the telnet of 7 Days to Die. Such a
 * console also prints what happens meanwhile, so an answer may have other lines. Keeps the connection.
 */
export function createTelnet({ host, port, password }: AdminAddress): AdminChannel {
  let socket: Socket | undefined;
  let listener: QuietEnd | undefined;

  /** Sends a line and resolves to what comes then. */
  async function exchange(on: Socket, line: string | undefined, signal: AbortSignal): Promise<string> {
    const answer = createQuietEnd(QUIET_MS);
    listener = answer;
    const abort = () => answer.fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (line !== undefined) on.write(`${line}\n`);
    try {
      return await answer.done;
    } finally {
      signal.removeEventListener('abort', abort);
      listener = undefined;
    }
  }

  async function logIn(signal: AbortSignal): Promise<Socket> {
    const opened = connect({ host, port, noDelay: true }).setEncoding('latin1');
    try {
      await once(opened, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]) });
    } catch (cause) {
      opened.destroy();
      throw new RconError('refused', 'The server does not listen for commands', { cause });
    }
    let hasLoggedIn = false;
    opened.on('data', (text: string) => {
      listener?.add(Buffer.from(text.replace(TELNET, ''), 'latin1').toString('utf8'));
    });
    opened.on('error', () => undefined); // `close` follows
    opened.on('close', () => {
      if (socket === opened) socket = undefined;
      listener?.fail(
        hasLoggedIn
          ? new RconError('closed', 'The server closed the connection for commands')
          : new RconError('closed-during-login', 'The server closed the connection for commands during the login'),
      );
    });
    socket = opened;
    await exchange(opened, undefined, signal); // it asks for the password
    if (REFUSED.test(await exchange(opened, password, signal))) {
      opened.destroy();
      throw new RconError('password-refused', 'The server refused the password for commands');
    }
    hasLoggedIn = true;
    return opened;
  }

  return {
    async ask(command, signal) {
      return (await exchange(socket ?? (await logIn(signal)), command, signal)).replaceAll('\r', '').trimEnd();
    },
    end() {
      socket?.destroy();
      socket = undefined;
    },
  };
}
