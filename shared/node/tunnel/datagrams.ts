/** What may wait for one player. */
const MOST_WAITING_BYTES = 64 * 1024;
/** A game has sent it again by then. Milliseconds. */
const OLDEST_MS = 100;
/** What the connection may hold. More would only wait there, where it cannot be dropped. */
const MOST_SENDING_BYTES = 64 * 1024;
const PEER_BYTES = 4;

/** A player of Bedrock Edition forgets a server after ten seconds. Milliseconds. */
export const PEER_IDLE_MS = 30_000;

/** A datagram in a message of a control link: the number of the player, which the edge has chosen, then the content. */
export interface Datagram {
  peer: number;
  content: Buffer;
}

/** Returns `undefined` for a message that is no datagram. */
export function readDatagram(message: Buffer): Datagram | undefined {
  if (message.length < PEER_BYTES) return undefined;
  return { peer: message.readUInt32BE(), content: message.subarray(PEER_BYTES) };
}

function writeDatagram({ peer, content }: Datagram): Buffer {
  const message = Buffer.allocUnsafe(PEER_BYTES + content.length);
  message.writeUInt32BE(peer);
  content.copy(message, PEER_BYTES);
  return message;
}

interface Waiting {
  items: { content: Buffer; at: number }[];
  bytes: number;
}

/** Sends a message. `sent` is called when the system has taken it, or the connection has failed. */
export type SendMessage = (message: Buffer, sent: () => void) => void;

/**
 * Datagrams that wait for a connection with room. The players take turns. A connection that is too slow loses the oldest datagrams of each player,
 * as a network would.
 */
export class DatagramQueue {
  readonly #send: SendMessage;
  readonly #now: () => number;
  /** In the order of their turns. */
  readonly #peers = new Map<number, Waiting>();
  #sendingBytes = 0;

  constructor(send: SendMessage, now: () => number = () => performance.now()) {
    this.#send = send;
    this.#now = now;
  }

  push({ peer, content }: Datagram): void {
    const waiting = this.#peers.get(peer) ?? { items: [], bytes: 0 };
    this.#peers.set(peer, waiting);
    waiting.items.push({ content, at: this.#now() });
    waiting.bytes += content.length;
    while (waiting.bytes > MOST_WAITING_BYTES && waiting.items.length > 1)
      waiting.bytes -= waiting.items.shift()?.content.length ?? 0;
    this.#flush();
  }

  #flush(): void {
    for (const [peer, waiting] of this.#peers) {
      if (this.#sendingBytes >= MOST_SENDING_BYTES) return;
      const item = waiting.items.shift();
      this.#peers.delete(peer);
      if (!item) continue;
      waiting.bytes -= item.content.length;
      // To the end of the turns, which this loop reaches as well.
      if (waiting.items.length > 0) this.#peers.set(peer, waiting);
      if (this.#now() - item.at > OLDEST_MS) continue;
      const message = writeDatagram({ peer, content: item.content });
      this.#sendingBytes += message.length;
      this.#send(message, () => {
        this.#sendingBytes -= message.length;
        this.#flush();
      });
    }
  }
}
