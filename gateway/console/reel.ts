import type { ConsoleBatch, ConsoleSource } from '../services/console.ts';
import type { Frame, FrameMaker } from './frame.ts';
import { batchMessage, type Format, firstLines, linesAfter, linesThrough } from './message.ts';

/** Bytes per read: a quarter of what one viewer may have in flight, so that reading and sending overlap. */
export const READ_BYTES = 256 * 1024;
/** Approximate size of a piece; in JSON, which escapes, a few times as much. */
const PIECE_BYTES = 64 * 1024;
/** Of live lines, and as much again of lines that were read. Far behind, more must be read; the console of an idle server needs nothing. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Consecutive lines as one message. */
export interface Piece {
  readonly firstSeq: number;
  readonly last: number;
  readonly frame: Frame;
}

export interface ReelOptions {
  source: Pick<ConsoleSource, 'read'>;
  frames: FrameMaker;
  format: Format;
}

/**
 * Recent lines of one console, in pieces that all viewers who are behind share: each piece is read once and made into a message once, however
 * many need it. Lines are in one piece, so viewers at similar positions soon send the same ones.
 */
export class Reel {
  readonly #options: ReelOptions;
  readonly #live = new Shelf();
  readonly #read = new Shelf();
  /** Reads under way, by the line that they begin after. */
  #reads = new Map<number, Promise<number | undefined>>();
  #generation = 0;

  constructor(options: ReelOptions) {
    this.#options = options;
  }

  /** Keeps a message that viewers who keep up have got. */
  add({ firstSeq, count }: ConsoleBatch, frame: Frame): void {
    this.#live.put({ firstSeq, last: firstSeq + count - 1, frame });
  }

  /** Returns the piece that begins with this line, if it is kept. */
  at(seq: number): Piece | undefined {
    return this.#live.at(seq) ?? this.#read.at(seq);
  }

  /**
   * Reads the lines after this one. Resolves to the number of the first that exists, which `at` finds, or to `undefined` if there are none, or if
   * everything was forgotten meanwhile. A read for one viewer is a read for all at the same position.
   */
  read(after: number): Promise<number | undefined> {
    let read = this.#reads.get(after);
    if (!read) {
      const reads = this.#reads;
      read = this.#readOnce(after).finally(() => reads.delete(after));
      reads.set(after, read);
    }
    return read;
  }

  /** Another one once everything was forgotten. */
  get generation(): number {
    return this.#generation;
  }

  /** Forgets everything: line numbers may begin anew. */
  clear(): void {
    this.#generation++;
    this.#reads = new Map();
    this.#live.clear();
    this.#read.clear();
  }

  async #readOnce(after: number): Promise<number | undefined> {
    const generation = this.#generation;
    const batches = await this.#options.source.read({ after, maxBytes: READ_BYTES });
    const [first] = batches;
    if (!first || generation !== this.#generation) return undefined;
    const firstSeq = Math.max(first.firstSeq, after + 1);
    const end = Math.min(this.#live.endOfFree(firstSeq), this.#read.endOfFree(firstSeq));
    for (const batch of batches) {
      if (batch.firstSeq > end) break;
      for (const piece of this.#cut(linesThrough(linesAfter(batch, after), end))) this.#read.put(piece);
    }
    return firstSeq;
  }

  *#cut(batch: ConsoleBatch): Generator<Piece> {
    const { frames, format } = this.#options;
    for (let rest = batch; rest.count > 0; ) {
      const part = firstLines(rest, { bytes: PIECE_BYTES, format });
      const last = part.firstSeq + part.count - 1;
      yield { firstSeq: part.firstSeq, last, frame: frames.text(batchMessage(part, format)) };
      rest = linesAfter(rest, last);
    }
  }
}

/** Keeps pieces up to a number of bytes, and gives up the oldest first. */
class Shelf {
  /** By their first line, in the order in which they came. */
  readonly #pieces = new Map<number, Piece>();
  #bytes = 0;

  at(seq: number): Piece | undefined {
    return this.#pieces.get(seq);
  }

  put(piece: Piece): void {
    this.#drop(piece.firstSeq);
    piece.frame.hold();
    this.#pieces.set(piece.firstSeq, piece);
    this.#bytes += piece.frame.bytes.length;
    for (const seq of this.#pieces.keys()) {
      if (this.#bytes <= MOST_BYTES || seq === piece.firstSeq) break;
      this.#drop(seq);
    }
  }

  /** Returns the last line from `seq` on that may become part of a new piece, so that none overlaps: where the piece ends that `seq` is in, or before the next begins. */
  endOfFree(seq: number): number {
    let end = Number.POSITIVE_INFINITY;
    for (const { firstSeq, last } of this.#pieces.values()) {
      if (last < seq) continue;
      end = Math.min(end, firstSeq <= seq ? last : firstSeq - 1);
    }
    return end;
  }

  clear(): void {
    for (const seq of this.#pieces.keys()) this.#drop(seq);
  }

  #drop(seq: number): void {
    const piece = this.#pieces.get(seq);
    if (!piece) return;
    this.#pieces.delete(seq);
    this.#bytes -= piece.frame.bytes.length;
    piece.frame.release();
  }
}
