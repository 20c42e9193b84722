import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { RconError } from '../rcon/rcon-error.ts';
import type { AdminAddress, AdminChannel } from './admin-session.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * RCON over WebSocket, as Rust has it (github.com/Facepunch/webrcon): the password is the path, and each message is a JSON object whose
 * `Identifier` the answer repeats. Keeps the connection.
 */
export function createWebSocketRcon({ host, port, password }: AdminAddress): AdminChannel {
  let socket: WebSocket | undefined;
  let last = 0;

  async function open(): Promise<WebSocket> {
    // Imported here because few servers need it: the other supervisors save the memory.
    const { WebSocket } = await import('ws');
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const opened = new WebSocket(`ws://${authority}/${encodeURIComponent(password)}`, {
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      maxPayload: LONGEST_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    socket = opened;
    opened.on('close', () => {
      if (socket === opened) socket = undefined;
    });
    try {
      await once(opened, 'open');
    } catch (cause) {
      socket = undefined;
      opened.on('error', () => undefined).terminate();
      throw refusal(cause);
    }
    opened.on('error', () => undefined); // `close` follows
    return opened;
  }

  return {
    async ask(command, signal) {
      const opened = socket ?? (await open());
      signal.throwIfAborted();
      last += 1;
      const identifier = last;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const onMessage = (data: unknown) => {
        const answer = answerIn(String(data), identifier);
        if (answer !== undefined) resolve(answer);
      };
      const onClose = () => reject(new RconError('closed', 'The server closed the connection for commands'));
      const onAbort = () => reject(signal.reason);
      opened.on('message', onMessage).once('close', onClose);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        opened.send(JSON.stringify({ Identifier: identifier, Message: command, Name: 'Gamekeeper' }));
        return await promise;
      } finally {
        opened.off('message', onMessage).off('close', onClose);
        signal.removeEventListener('abort', onAbort);
      }
    },
    end() {
      socket?.terminate();
      socket = undefined;
    },
  };
}

/** Rust closes the connection without a word at a wrong password; others answer 401 or 403. */
function refusal(cause: unknown): RconError {
  const why = cause instanceof Error ? cause.message : String(cause);
  if (/\b40[13]\b/.test(why))
    return new RconError('password-refused', 'The server refused the password for commands', { cause });
  if (/hang up|closed/.test(why))
    return new RconError('closed-during-login', 'The server closed the connection for commands during the login', {
      cause,
    });
  return new RconError('refused', 'The server does not listen for commands', { cause });
}

/** Returns the text of the answer, or `undefined` for any other message: the server also sends its log. */
function answerIn(text: string, identifier: number): string | undefined {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null) return undefined;
    const { Identifier: id, Message: answer } = message as { Identifier?: unknown; Message?: unknown };
    return id === identifier && typeof answer === 'string' ? answer : undefined;
  } catch {
    return undefined;
  }
}
