import { Duplex } from 'node:stream';

type Written = (error?: Error | null) => void;

/** What the gateway sees as the address of a caller over the link: limits by address count all of them together. */
const ADDRESS = 'proxy';

/** A connection within this process: what one end writes, the other one reads, with back-pressure. */
export function connectInProcess(): { client: Duplex; server: Duplex } {
  const client = new InProcessSocket();
  const server = new InProcessSocket();
  client.other = server;
  server.other = client;
  return { client, server };
}

class InProcessSocket extends Duplex {
  readonly remoteAddress = ADDRESS;
  other: InProcessSocket | undefined;
  /** The write that waits until this end has read. */
  #waiting: Written | undefined;

  override _read(): void {
    const written = this.#waiting;
    this.#waiting = undefined;
    written?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: Written): void {
    if (this.other!.destroyed) written(new Error('The other end has closed the connection.'));
    else this.other!.#take(chunk, written);
  }

  override _final(done: Written): void {
    if (!this.other!.destroyed) this.other!.push(null);
    done();
  }

  override _destroy(error: Error | null, done: Written): void {
    const written = this.#waiting;
    this.#waiting = undefined;
    written?.(new Error('The other end has closed the connection.'));
    // What was sent before can still be read; after it comes the end.
    if (!this.other!.destroyed && !this.writableFinished) this.other!.push(null);
    done(error);
  }

  #take(chunk: Buffer, written: Written): void {
    // Copied: the console uses its memory again as soon as a frame is written (gateway/console/frame.ts).
    if (this.push(Buffer.from(chunk))) written();
    else this.#waiting = written;
  }
}
