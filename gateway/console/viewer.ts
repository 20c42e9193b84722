import type { ConsoleBatch, ConsoleSource } from '../services/console.ts';
import { textFrame } from './frame.ts';
import { batchMessage, type Format, linesAfter, skippedMessage } from './message.ts';
import type { Outlet } from './outlet.ts';
import type { SharedBatch } from './shared-batch.ts';

/** What may wait in the gateway for one viewer (api.md, Console WebSocket). */
const MAX_IN_FLIGHT_BYTES = 1024 * 1024;
/** Read at a time by a viewer that is behind: a quarter of what may be in flight, so that reading and sending overlap. */
const READ_BYTES = 256 * 1024;
/** Pause after a read that failed. */
const READ_AGAIN_MS = 1_000;
/** Lines that a viewer gets when it comes without a position. */
const TAIL_LINES = 200;

/** How far the live stream is. */
export interface LivePosition {
  /** False while the supervisor is being looked for. */
  readonly isOpen: boolean;
  /** Number of the newest line that came live; `undefined` before the first since the stream was opened. */
  readonly newest: number | undefined;
  /** What the line behind that one shows so far; `undefined`: nothing yet. */
  readonly unfinished: SharedBatch | undefined;
}

export interface ViewerOptions {
  outlet: Outlet;
  source: ConsoleSource;
  format: Format;
  /** Last line that the viewer has; `undefined`: show the newest. */
  after: number | undefined;
  /** Whether lines that have not ended yet are shown, too. */
  unfinished: boolean;
  /** Told of lines that are gone. */
  onSkipped?: (lines: number) => void;
  /** Told of reads that failed; they are repeated. */
  onFailure: (error: unknown) => void;
}

/**
 * One reader of a console: a cursor. While it keeps up it is handed live batches; as soon as it does not, or lines are missing, it
 * reads on from ring and disk log at its own pace until it has caught up. Sequence numbers make the switch exact: no line is lost
 * or sent twice.
 */
export class Viewer {
  readonly #options: ViewerOptions;
  #cursor: number | undefined;
  #mode: 'live' | 'reading' | 'waiting' | 'closed' = 'waiting';

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#cursor = options.after;
  }

  /** Takes a live batch, unless this viewer is not up to it. */
  take(shared: SharedBatch, live: LivePosition): void {
    if (this.#mode !== 'live') return;
    const { batch } = shared;
    const last = batch.firstSeq + batch.count - 1;
    const cursor = this.#cursor ?? batch.firstSeq - 1;
    if (last <= cursor) return;
    const isNext = batch.firstSeq <= cursor + 1;
    if (!isNext || this.#options.outlet.waiting + batch.text.length > MAX_IN_FLIGHT_BYTES) {
      this.#cursor = cursor;
      this.catchUp(live);
      return;
    }
    const isWhole = batch.firstSeq === cursor + 1;
    this.#options.outlet.write(isWhole ? shared.frame(this.#options.format) : this.#frameOf(linesAfter(batch, cursor)));
    this.#cursor = last;
  }

  /** Shows the unfinished line, unless this viewer is not up to it: then it follows when it is. */
  showUnfinished(live: LivePosition): void {
    if (!this.#options.unfinished || this.#mode !== 'live' || !live.unfinished) return;
    const frame = live.unfinished.frame('json');
    if (this.#options.outlet.waiting + frame.length > MAX_IN_FLIGHT_BYTES) this.catchUp(live);
    else this.#options.outlet.write(frame);
  }

  /** Reads on from the cursor until there is nothing that a live batch would not bring. */
  catchUp(live: LivePosition): void {
    if (this.#mode === 'reading' || this.#mode === 'closed') return;
    this.#mode = 'reading';
    this.#readOn(live).catch((error: unknown) => {
      if (this.#mode === 'closed') return;
      this.#options.onFailure(error);
      // Where the supervisor is gone, the hub says when it is back; where it was only slow, this asks again.
      this.#mode = 'waiting';
      setTimeout(() => {
        if (live.isOpen && this.#mode === 'waiting') this.catchUp(live);
      }, READ_AGAIN_MS).unref();
    });
  }

  close(): void {
    this.#mode = 'closed';
  }

  async #readOn(live: LivePosition): Promise<void> {
    const { source, outlet } = this.#options;
    await this.#checkPosition();
    while (this.#mode === 'reading') {
      await outlet.room();
      const cursor = this.#cursor;
      const { newest: newestBefore } = live;
      const batches = await source.read(
        cursor === undefined ? { tail: TAIL_LINES } : { after: cursor, maxBytes: READ_BYTES },
      );
      if (this.#mode !== 'reading') return;
      for (const batch of batches) this.#append(batch);
      if (this.#hasReached(live.newest, batches.length === 0)) {
        this.#mode = 'live';
        this.showUnfinished(live); // which may begin another reading: this one is over
        return;
      }
      if (batches.length === 0 && newestBefore !== undefined) {
        // A line that was live before it was read for and yet is not there will not come any more. One that came live meanwhile
        // may have been printed behind the reading's back: the next reading has it.
        this.#skip(newestBefore);
      }
    }
  }

  /** Nothing that a live batch brought is missing, nor, where none came yet, anything that could be read. */
  #hasReached(newest: number | undefined, nothingMore: boolean): boolean {
    return newest === undefined ? nothingMore : (this.#cursor ?? 0) >= newest;
  }

  /** A position behind the end is of a log that was deleted since: what there is now is shown from its newest lines on. */
  async #checkPosition(): Promise<void> {
    if (this.#cursor === undefined) return;
    const [last] = await this.#options.source.read({ tail: 1 });
    const end = last ? last.firstSeq + last.count - 1 : 0;
    if (end < this.#cursor) this.#cursor = undefined;
  }

  #append(batch: ConsoleBatch): void {
    const cursor = this.#cursor ?? batch.firstSeq - 1;
    const last = batch.firstSeq + batch.count - 1;
    if (last <= cursor) return;
    if (batch.firstSeq > cursor + 1) this.#skip(batch.firstSeq - 1);
    this.#options.outlet.write(this.#frameOf(linesAfter(batch, this.#cursor ?? cursor)));
    this.#cursor = last;
  }

  /** Lines up to `seq` are nowhere any more. */
  #skip(seq: number): void {
    const lines = seq - (this.#cursor ?? seq);
    if (lines > 0) {
      this.#options.outlet.write(textFrame(skippedMessage(lines, this.#options.format)));
      this.#options.onSkipped?.(lines);
    }
    this.#cursor = Math.max(seq, this.#cursor ?? seq);
  }

  #frameOf(batch: ConsoleBatch): Buffer {
    return textFrame(batchMessage(batch, this.#options.format));
  }
}
