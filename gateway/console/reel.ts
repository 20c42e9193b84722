import type { ConsoleBatch, ConsoleSource } from '../services/console.ts';
import type { Frame, FrameMaker } from './frame.ts';
import { batchMessage, type Format, firstLines, linesAfter, linesThrough } from './message.ts';

/** Bytes per read: a quarter of what one viewer may have in flight, so that reading and sending overlap. */
export const READ_BYTES = 256 * 1024;
/** Approximate size of a piece; in JSON, which escapes, a few times as much. */
const PIECE_BYTES = 64 * 1024;
/** Of lines that were read. */
const MOST_READ_BYTES = 2 * 1024 * 1024;
/**
 * Of live lines: what a flood prints in a quarter of a second. A viewer who waits that long for a busy processor, but otherwise keeps up, needs no
 * read; reading costs more than the flood leaves, so that all viewers would fall further and further behind.
 */
const MOST_LIVE_BYTES = 8 * 1024 * 1024;
/** Live lines are kept for one to two times as long. There may be many consoles, and most print little. */
const LIVE_MS = 1_000;

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
  readonly #live = new Shelf({ mostBytes: MOST_LIVE_BYTES, keptMs: LIVE_MS });
  readonly #read = new Shelf({ mostBytes: MOST_READ_BYTES });
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

  /** Returns whether the line after this one is not older than the live lines that are kept. */
  reaches(seq: number | undefined): boolean {
    const { oldest } = this.#live;
    return seq !== undefined && oldest !== undefined && oldest <= seq + 1;
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
    return this.#options.source.read({ after, maxBytes: READ_BYTES }, (batches) =>
      generation === this.#generation ? this.#keep(batches, after) : undefined,
    );
  }

  /** Returns the number of the first line after `after`, if there is one. */
  #keep(batches: readonly ConsoleBatch[], after: number): number | undefined {
    const [first] = batches;
    if (!first) return undefined;
    const firstSeq = Math.max(first.firstSeq, after + 1);
    const end = Math.min(this.#live.endOfFree(firstSeq), this.#read.endOfFree(firstSeq));
    let bytes = 0;
    for (const batch of batches) {
      if (batch.firstSeq > end) break;
      for (const piece of this.#cut(linesThrough(linesAfter(batch, after), end))) {
        // In JSON, short lines take many times as much. More of them would drive out the first.
        bytes += piece.frame.bytes.length;
        if (bytes > MOST_READ_BYTES && piece.firstSeq > firstSeq) return firstSeq;
        this.#read.put(piece);
      }
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

interface ShelfOptions {
  mostBytes: number;
  /** A piece is kept for one to two times as long; absent: until there are too many. */
  keptMs?: number;
}

/** Keeps pieces up to a number of bytes, and gives up the oldest first. */
class Shelf {
  readonly #options: ShelfOptions;
  /** By their first line, in the order in which they came. */
  readonly #pieces = new Map<number, Piece>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The newest piece when the timer fired last. */
  #aged: Piece | undefined;

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  /** The first line of the oldest piece. */
  get oldest(): number | undefined {
    return this.#pieces.keys().next().value;
  }

  at(seq: number): Piece | undefined {
    return this.#pieces.get(seq);
  }

  put(piece: Piece): void {
    const { mostBytes, keptMs } = this.#options;
    this.#drop(piece.firstSeq);
    piece.frame.hold();
    this.#pieces.set(piece.firstSeq, piece);
    this.#bytes += piece.frame.bytes.length;
    for (const seq of this.#pieces.keys()) {
      if (this.#bytes <= mostBytes || seq === piece.firstSeq) break;
      this.#drop(seq);
    }
    if (keptMs !== undefined) this.#timer ??= setInterval(() => this.#age(), keptMs).unref();
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
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#aged = undefined;
    for (const seq of this.#pieces.keys()) this.#drop(seq);
  }

  /** Gives up the pieces that were here the last time already. */
  #age(): void {
    const pieces = [...this.#pieces.values()];
    const old = this.#aged ? pieces.indexOf(this.#aged) + 1 : 0;
    for (const { firstSeq } of pieces.slice(0, old)) this.#drop(firstSeq);
    this.#aged = pieces.at(-1);
    if (this.#pieces.size === 0) this.clear();
  }

  #drop(seq: number): void {
    const piece = this.#pieces.get(seq);
    if (!piece) return;
    this.#pieces.delete(seq);
    this.#bytes -= piece.frame.bytes.length;
    piece.frame.release();
  }
}
