import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

/** Between two attempts to connect, milliseconds. */
const AGAIN_AFTER_MS = 100;
/** A gateway that is paused accepts a connection and says nothing. Milliseconds. */
const HANDSHAKE_MS = 5_000;
const MOST_FAULTS = 10;

/** A viewer of a console that connects again whenever it is cut off, and asks for what comes after its last line. */
export interface LineWitness {
  /** Line 1 first. */
  readonly texts: readonly string[];
  /** Numbers that were not the next one, and lines that were said to be gone. */
  readonly faults: readonly string[];
  /** How often it was connected. */
  readonly connections: number;
  stop(): Promise<void>;
}

export function witnessLines(url: string, token: string): LineWitness {
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
    if (faults.length < MOST_FAULTS) faults.push(what);
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
      await sleep(AGAIN_AFTER_MS);
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
