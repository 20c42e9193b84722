import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

/** Pause between two attempts to connect, in milliseconds. */
const RECONNECT_DELAY_MS = 100;
/** A paused gateway accepts a connection and does not answer. Milliseconds. */
const HANDSHAKE_MS = 5_000;
const MAX_FAULTS = 10;

/** A console viewer that reconnects whenever it is cut off, and resumes after its last line. */
export interface ConsoleWatcher {
  /** All lines so far, from line 1. */
  readonly texts: readonly string[];
  /** Lines whose number was not the next one, and lines announced as skipped. */
  readonly faults: readonly string[];
  /** How often it connected. */
  readonly connections: number;
  stop(): Promise<void>;
}

export function watchConsole(url: string, token: string): ConsoleWatcher {
  const texts: string[] = [];
  const faults: string[] = [];
  let connections = 0;
  let stopped = false;
  let socket: WebSocket | undefined;

  function take(message: { lines?: { seq: number; text: string }[]; skipped?: number }): void {
    if (message.skipped !== undefined) fault(`${message.skipped} lines skipped after ${texts.length}`);
    for (const { seq, text } of message.lines ?? []) {
      if (seq !== texts.length + 1) fault(`line ${seq} after ${texts.length}`);
      texts[seq - 1] = text;
    }
  }

  function fault(what: string): void {
    if (faults.length < MAX_FAULTS) faults.push(what);
  }

  async function viewOnce(): Promise<void> {
    const current = new WebSocket(`${url}?format=json&after=${texts.length}`, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_MS,
    });
    socket = current;
    const closed = new Promise<void>((resolve) => void current.once('close', () => resolve()));
    current.on('error', () => undefined); // Followed by 'close'.
    current.once('open', () => connections++);
    current.on('message', (data) => take(JSON.parse(String(data))));
    await closed;
  }

  const viewing = (async () => {
    while (!stopped) {
      await viewOnce();
      await sleep(RECONNECT_DELAY_MS);
    }
  })();

  return {
    texts,
    faults,
    get connections() {
      return connections;
    },
    async stop() {
      stopped = true;
      socket?.terminate();
      await viewing;
    },
  };
}
