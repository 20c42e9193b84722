import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { ConsoleBatch, ConsoleSource } from '../services/console.ts';
import type { Frame, FrameMaker } from './frame.ts';
import { batchMessage, type Format, linesAfter, noticeMessage, skippedMessage } from './message.ts';
import type { Outlet } from './outlet.ts';
import { READ_BYTES, type Reel } from './reel.ts';
import type { SharedBatch } from './shared-batch.ts';

/** Most bytes that may be buffered in the gateway for one viewer. */
const MAX_IN_FLIGHT_BYTES = 1024 * 1024;
/** Sent to a viewer who is behind, in one go, before the others get their turn: the further behind, the fewer and larger writes. */
const TURN_BYTES = 256 * 1024;
const READ_AGAIN_MS = 1_000;
/** Lines shown first to a viewer without a position. */
const TAIL_LINES = 200;

export interface LivePosition {
  /** False while the supervisor is away. */
  readonly isOpen: boolean;
  /** Number of the newest live line; `undefined` before the first since the stream was opened. */
  readonly newest: number | undefined;
  /** The unfinished line after the newest one; `undefined`: none has begun. */
  readonly unfinished: SharedBatch | undefined;
}

export interface ViewRequest {
  format: Format;
  /** Number of the last line that the client has; `undefined`: start with the newest lines. */
  after: number | undefined;
  unfinished: boolean;
}

export interface ViewerOptions {
  outlet: Outlet;
  source: ConsoleSource;
  frames: FrameMaker;
  /** In the format of the view. */
  reel: Reel;
  view: ViewRequest;
  /** Called with the number of lines that were rotated away. */
  onSkipped?: (lines: number) => void;
  onFailure: (error: unknown) => void;
}

/**
 * One reader of a console: a cursor. While it keeps up, it gets live batches. If it falls behind or lines are missing, it goes along the reel,
 * which reads from the supervisor's ring and log, at its own pace until it has caught up. Sequence numbers make the switch exact: no line is lost or sent twice.
 */
export class Viewer {
  readonly #options: ViewerOptions;
  #cursor: number | undefined;
  #mode: 'live' | 'reading' | 'waiting' | 'closed' = 'waiting';

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#cursor = options.view.after;
  }

  /** Sends a live batch, or starts catching up if this viewer is behind. */
  take(shared: SharedBatch, live: LivePosition): void {
    if (this.#mode === 'reading') this.#keepIfNear(shared);
    if (this.#mode !== 'live') return;
    const { batch } = shared;
    const last = lastLine(batch);
    const cursor = this.#cursor ?? batch.firstSeq - 1;
    if (last <= cursor) return;
    const isNext = batch.firstSeq <= cursor + 1;
    // A frame is never shorter than its text: if the text alone is too much, no frame is built.
    if (!isNext || !this.#hasRoom(batch.text.length) || !this.#send(this.#liveFrame(shared, cursor))) {
      this.#cursor = cursor;
      this.#keepIfNear(shared);
      this.catchUp(live);
      return;
    }
    this.#cursor = last;
  }

  /** Shows the unfinished line, at once or after catching up. */
  showUnfinished(live: LivePosition): void {
    if (!this.#options.view.unfinished || this.#mode !== 'live' || !live.unfinished) return;
    if (!this.#send(live.unfinished.frame('json'))) this.catchUp(live);
  }

  /** Sends a message of Gamekeeper's own. It is dropped if too much is buffered, so that commands cannot fill the memory. */
  say(text: string): void {
    const { view, frames } = this.#options;
    this.#send(frames.text(noticeMessage(text, view.format)));
  }

  catchUp(live: LivePosition): void {
    if (this.#mode === 'reading' || this.#mode === 'closed') return;
    this.#mode = 'reading';
    this.#readOn(live).catch((error: unknown) => {
      if (this.#mode === 'closed') return;
      this.#options.onFailure(error);
      // If the supervisor is gone, the hub calls this when it is back; if it was only slow, the timer does.
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
    const { reel } = this.#options;
    let { generation } = reel;
    await this.#checkPosition(live);
    while (this.#mode === 'reading') {
      const { newest: newestBefore } = live;
      const hasMore = this.#cursor === undefined ? await this.#sendTail() : await this.#sendNext(this.#cursor);
      if (this.#mode !== 'reading') return;
      // The supervisor was replaced meanwhile.
      if (reel.generation !== generation) {
        generation = reel.generation;
        await this.#checkPosition(live);
        continue;
      }
      // Before more live lines can arrive.
      if (this.#hasReached(live.newest, !hasMore)) {
        this.#mode = 'live';
        this.showUnfinished(live); // may start catching up again: this read is over
        return;
      }
      // Others get their turn in between.
      if (hasMore) await yieldTurn();
      // A line that was live before this read began and was not found is gone. A line that went live during the read may have been
      // printed after it: the next read finds it.
      else if (newestBefore !== undefined) await this.#skip(newestBefore);
    }
  }

  /** Returns whether nothing is missing before the next live batch. Before the first one: whether there was nothing more to read. */
  #hasReached(newest: number | undefined, nothingMore: boolean): boolean {
    return newest === undefined ? nothingMore : (this.#cursor ?? 0) >= newest;
  }

  /** A position beyond the end belongs to a log that has been deleted: the viewer then starts with the newest lines. */
  async #checkPosition({ newest = -1 }: LivePosition): Promise<void> {
    if (this.#cursor === undefined || this.#cursor <= newest) return;
    const end = await this.#options.source.read({ tail: 1 }, ([last]) => (last ? lastLine(last) : 0));
    if (end < this.#cursor) this.#cursor = undefined;
  }

  /** Sends the newest lines. Resolves to whether there are any. */
  async #sendTail(): Promise<boolean> {
    const { source, frames, view } = this.#options;
    const batches = await source.read({ tail: TAIL_LINES }, (found) =>
      found.map((batch) => ({ ...batch, text: Buffer.from(batch.text) })),
    );
    for (const batch of batches) {
      await this.#sendWhenRoom(frames.text(batchMessage(batch, view.format)));
      this.#cursor = lastLine(batch);
    }
    return batches.length > 0;
  }

  /** Sends the next pieces of the reel. Resolves to whether there are any. */
  async #sendNext(cursor: number): Promise<boolean> {
    const { reel, outlet } = this.#options;
    let piece = reel.at(cursor + 1);
    if (!piece) {
      await outlet.until(MAX_IN_FLIGHT_BYTES - READ_BYTES);
      const firstSeq = await reel.read(cursor);
      if (firstSeq === undefined) return false;
      if (firstSeq > cursor + 1) await this.#skip(firstSeq - 1);
      piece = reel.at(firstSeq);
    }
    // Without a piece, it is gone already and is read again.
    for (let bytes = 0; piece && bytes < TURN_BYTES; piece = reel.at(piece.last + 1)) {
      await this.#sendWhenRoom(piece.frame);
      this.#cursor = piece.last;
      bytes += piece.frame.bytes.length;
    }
    return true;
  }

  async #skip(seq: number): Promise<void> {
    const lines = seq - (this.#cursor ?? seq);
    if (lines > 0) {
      const { frames, view, onSkipped } = this.#options;
      await this.#sendWhenRoom(frames.text(skippedMessage(lines, view.format)));
      onSkipped?.(lines);
    }
    this.#cursor = Math.max(seq, this.#cursor ?? seq);
  }

  async #sendWhenRoom(frame: Frame): Promise<void> {
    const { outlet } = this.#options;
    frame.hold(); // The reel may give it up meanwhile.
    await outlet.until(Math.max(0, MAX_IN_FLIGHT_BYTES - frame.bytes.length));
    if (this.#mode === 'reading') outlet.write(frame);
    frame.release();
  }

  /** Returns the shared frame if this viewer needs all of it, else a frame with the lines after the cursor. */
  #liveFrame(shared: SharedBatch, cursor: number): Frame {
    const { view, frames } = this.#options;
    const { format } = view;
    return shared.batch.firstSeq === cursor + 1
      ? shared.frame(format)
      : frames.text(batchMessage(linesAfter(shared.batch, cursor), format));
  }

  /** Makes the batch's frame if this viewer will need it soon. It then stays on the reel and need not be read. */
  #keepIfNear(shared: SharedBatch): void {
    const { reel, view } = this.#options;
    if (reel.reaches(this.#cursor)) shared.frame(view.format);
  }

  /** Sends a frame. Returns false if too much would be in flight. */
  #send(frame: Frame): boolean {
    if (!this.#hasRoom(frame.bytes.length)) return false;
    this.#options.outlet.write(frame);
    return true;
  }

  #hasRoom(bytes: number): boolean {
    return this.#options.outlet.waiting + bytes <= MAX_IN_FLIGHT_BYTES;
  }
}

function lastLine({ firstSeq, count }: ConsoleBatch): number {
  return firstSeq + count - 1;
}
