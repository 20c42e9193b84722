import { once } from 'node:events';
import WebSocket from 'ws';
import { until } from '../machine/until.ts';

/** A viewer of an instance's console over WebSocket. */
export interface ConsoleViewer {
  /** Everything received so far, including colours. */
  text(): string;
  /** Waits until the text matches. Resolves to the match. */
  waitFor(pattern: RegExp, deadlineMs?: number): Promise<RegExpExecArray>;
  /** Types one command line. */
  send(command: string): void;
  /** Resolves to the code with which the gateway closed it. */
  readonly closed: Promise<number>;
  close(): Promise<void>;
}

/** Opens the console at a URL such as `ws://127.0.0.1:25580/ws/instances/demo/console`. */
export async function openConsole(url: string, headers: Record<string, string>): Promise<ConsoleViewer> {
  const socket = new WebSocket(url, { headers });
  let text = '';
  socket.on('message', (data) => {
    text += String(data);
  });
  const closed = new Promise<number>((resolve) => void socket.once('close', resolve));
  await once(socket, 'open');

  return {
    text: () => text,
    waitFor: (pattern, deadlineMs) =>
      until(`the console shows ${pattern}`, () => pattern.exec(text) ?? undefined, {
        describe: () => text,
        ...(deadlineMs !== undefined && { deadlineMs }),
      }),
    send: (command) => socket.send(command),
    closed,
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, 'close');
    },
  };
}
