import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { GamekeeperError } from '../../errors/gamekeeper-error.ts';
import { ReaderPace, SLOWEST_PACE } from './reader-pace.ts';
import { requirePrivateFolder } from './socket-folder.ts';

/** A stored file can be one chunk of many megabytes: it is sent in pieces, so that a slow reader can be told from none. */
const PIECE_BYTES = 1024 * 1024;

/** Sends bytes to a reader through a local socket: one chunk at a time, so that its source waits for the reader. A reader that is too slow is left. */
export class SocketSink extends Writable {
  readonly #socket: Socket;
  readonly #pace: ReaderPace;
  /** Called with each chunk whose memory is free again. */
  onWritten: (chunk: Buffer) => void = () => undefined;

  static async connect(path: string, slowest = SLOWEST_PACE): Promise<SocketSink> {
    await requirePrivateFolder(path);
    const socket = connect(path);
    await once(socket, 'connect');
    return new SocketSink(socket, slowest);
  }

  private constructor(socket: Socket, slowest: typeof SLOWEST_PACE) {
    super();
    this.#socket = socket;
    this.#pace = new ReaderPace(slowest, () => this.destroy(tooSlow(slowest)));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.writableFinished || this.destroy(new Error('the other side went away')));
    socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const send = (from: number) => {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      this.#pace.waiting();
      this.#socket.write(piece, (error) => {
        this.#pace.took(piece.length);
        const next = from + PIECE_BYTES;
        if (!error && next < chunk.length) return send(next);
        this.onWritten(chunk);
        done(error);
      });
    };
    send(0);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#pace.stop();
    this.#socket.destroy();
    done(error);
  }
}

function tooSlow({ bytes, milliseconds }: typeof SLOWEST_PACE): GamekeeperError {
  const rate = Math.round(bytes / 1024 / (milliseconds / 1000));
  return new GamekeeperError('invalid_state', `The download was slower than ${rate} KiB/s and was ended.`, {
    resolution: 'Create a backup and download it instead. That download has no minimum speed and can be resumed.',
  });
}
