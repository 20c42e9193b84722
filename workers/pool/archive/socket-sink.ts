import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';

/** A reader that takes nothing for this long counts as gone. Milliseconds. */
const STALLED_MS = 60_000;

/** Sends an archive to a reader of any speed: nothing is archived before the reader has taken what came before. */
export class SocketSink extends Writable {
  readonly #socket: Socket;
  /** Called with each chunk whose memory is free again. */
  onWritten: (chunk: Buffer) => void = () => undefined;

  static async connect(path: string): Promise<SocketSink> {
    const socket = connect(path);
    await once(socket, 'connect');
    return new SocketSink(socket);
  }

  private constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.setTimeout(STALLED_MS, () => socket.destroy(new Error('nothing was taken for too long')));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.writableFinished || this.destroy(new Error('the other side went away')));
    socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, (error) => {
      this.onWritten(chunk);
      done(error);
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
