import { RandomAccessReader } from 'yauzl';
import type { ByteSource } from './byte-source.ts';
import type { FarBytes } from './remote-bytes.ts';

/** Read first: it holds the whole directory of most archives, which is at the end. */
const TAIL_BYTES = 1024 * 1024;
/** A local header, and the content of most files. */
const WINDOW_BYTES = 128 * 1024;
/** For a directory that is longer than the tail. */
const LONG_WINDOW_BYTES = 1024 * 1024;
/** Content is read in pieces of this size, one ahead. */
const PIECE_BYTES = 2 * 1024 * 1024;

interface Window {
  start: number;
  bytes: Buffer;
}

/** Makes few requests of many small reads: keeps the end of the archive, and what was read last. */
export function farSource(far: FarBytes): ByteSource {
  const { size } = far;
  let tail: Window | undefined;
  let last: Window | undefined;

  async function windowAt(position: number): Promise<Window> {
    const tailStart = Math.max(0, size - TAIL_BYTES);
    if (position >= tailStart) {
      tail ??= { start: tailStart, bytes: await far.read(tailStart, size) };
      return tail;
    }
    if (last && holds(last, position)) return last;
    const continues = last !== undefined && position === last.start + last.bytes.length;
    const end = Math.min(size, position + (continues ? LONG_WINDOW_BYTES : WINDOW_BYTES));
    last = { start: position, bytes: await far.read(position, end) };
    return last;
  }

  async function copy(target: Buffer, position: number): Promise<void> {
    for (let copied = 0; copied < target.length; ) {
      const at = position + copied;
      if (at >= size) throw new Error('unexpected end of file');
      const { start, bytes } = await windowAt(at);
      copied += bytes.copy(target, copied, at - start);
    }
  }

  return {
    size,
    reader: () => new FarReader(copy),
    async *chunks(start, length) {
      const end = Math.min(size, start + length);
      let position = start;
      if (last && holds(last, start)) {
        const known = last.bytes.subarray(start - last.start, end - last.start);
        position += known.length;
        yield known;
      }
      let next = position < end ? pieceAt(position, end) : undefined;
      while (next) {
        const piece: Buffer = await next;
        position += piece.length;
        next = position < end ? pieceAt(position, end) : undefined;
        yield piece;
      }
    },
  };

  function pieceAt(position: number, end: number): Promise<Buffer> {
    const piece = far.read(position, Math.min(end, position + PIECE_BYTES));
    // Until it is awaited, a failure must not count as unhandled.
    piece.catch(() => undefined);
    return piece;
  }
}

function holds({ start, bytes }: Window, position: number): boolean {
  return position >= start && position < start + bytes.length;
}

class FarReader extends RandomAccessReader {
  readonly #copy: (target: Buffer, position: number) => Promise<void>;

  constructor(copy: (target: Buffer, position: number) => Promise<void>) {
    super();
    this.#copy = copy;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#copy(target.subarray(offset, offset + length), position).then(
      () => done(null),
      (error: Error) => done(error),
    );
  }
}
