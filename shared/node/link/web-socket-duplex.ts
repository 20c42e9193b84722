import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Small writes are joined to messages of this size; far below `MAX_MESSAGE_BYTES`. */
const JOINED_BYTES = 256 * 1024;
const NORMAL_CLOSURE = 1000;

type Written = (error?: Error | null) => void;

/**
 * The binary messages of an open WebSocket as a stream of bytes, with back-pressure both ways. It ends without an error event, however the
 * connection fails: HTTP/2 over it would pass the event to a socket that nobody listens to any more.
 *
 * Node's HTTP/2 over `ws.createWebSocketStream` ended the process with ERR_INTERNAL_ASSERTION when many peers were killed in the middle of a
 * transfer (https://github.com/nodejs/node/issues/35384). test/shared/node/link/killed-peers.test.ts kills hundreds.
 */
export class WebSocketDuplex extends Duplex {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    super();
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary && !this.destroyed && !this.push(data)) socket.pause();
    });
    socket.on('error', () => undefined); // Followed by 'close'.
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: Written): void {
    this.#socket.send(chunk, { binary: true }, written);
  }

  /** HTTP/2 writes the head of a frame and its content apart. */
  override _writev(items: { chunk: Buffer }[], written: Written): void {
    const messages: Buffer[][] = [[]];
    let bytes = 0;
    for (const { chunk } of items) {
      if (bytes > 0 && bytes + chunk.length > JOINED_BYTES) {
        messages.push([]);
        bytes = 0;
      }
      messages.at(-1)!.push(chunk);
      bytes += chunk.length;
    }
    const last = messages.pop()!;
    for (const chunks of messages) this.#socket.send(joined(chunks), { binary: true });
    this.#socket.send(joined(last), { binary: true }, written);
  }

  override _final(done: Written): void {
    this.#socket.close(NORMAL_CLOSURE);
    done();
  }

  override _destroy(_error: Error | null, done: Written): void {
    // A socket that is closing has sent its last message, and ends by itself.
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.terminate();
    done();
  }
}

function joined(chunks: Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
