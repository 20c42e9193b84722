import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { ConsoleBatch, ConsoleSource } from '../services/console.ts';
import type { Frame, FrameMaker } from './frame.ts';
import { batchMessage, type Format, firstLines, linesAfter, noticeMessage, skippedMessage } from './message.ts';
import type { Outlet } from './outlet.ts';
import type { SharedBatch } from './shared-batch.ts';

/** Most bytes that may be buffered in the gateway for one viewer. */
const MAX_IN_FLIGHT_BYTES = 1024 * 1024;
/** Bytes per read of a viewer that is behind: a quarter of the limit above, so that reading and sending overlap. */
const READ_BYTES = 256 * 1024;
/** Approximate size of a message to a viewer that is behind; in JSON, which escapes, a few times as much. */
const MESSAGE_BYTES = 64 * 1024;
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
  view: ViewRequest;
  /** Called with the number of lines that were rotated away. */
  onSkipped?: (lines: number) => void;
  onFailure: (error: unknown) => void;
}

/**
 * One reader of a console: a cursor. While it keeps up, it gets live batches. If it falls behind or lines are missing, it reads from the
 * supervisor's ring and log at its own pace until it has caught up. Sequence numbers make the switch exact: no line is lost or sent twice.
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
    if (this.#mode !== 'live') return;
    const { batch } = shared;
    const last = batch.firstSeq + batch.count - 1;
    const cursor = this.#cursor ?? batch.firstSeq - 1;
    if (last <= cursor) return;
    const isNext = batch.firstSeq <= cursor + 1;
    // A frame is never shorter than its text: if the text alone is too much, no frame is built.
    if (!isNext || !this.#hasRoom(batch.text.length) || !this.#send(this.#liveFrame(shared, cursor))) {
      this.#cursor = cursor;
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
    const { source, outlet } = this.#options;
    await this.#checkPosition();
    while (this.#mode === 'reading') {
      await outlet.until(MAX_IN_FLIGHT_BYTES - READ_BYTES);
      const cursor = this.#cursor;
      const { newest: newestBefore } = live;
      const batches = await source.read(
        cursor === undefined ? { tail: TAIL_LINES } : { after: cursor, maxBytes: READ_BYTES },
      );
      for (const [index, batch] of batches.entries()) {
        if (index > 0) await yieldTurn();
        await this.#append(batch);
      }
      if (this.#mode !== 'reading') return;
      if (this.#hasReached(live.newest, batches.length === 0)) {
        this.#mode = 'live';
        this.showUnfinished(live); // may start catching up again: this read is over
        return;
      }
      if (batches.length === 0 && newestBefore !== undefined) {
        // A line that was live before this read began and was not found is gone. A line that went live during the read may have been
        // printed after it: the next read finds it.
        await this.#skip(newestBefore);
      }
    }
  }

  /** Returns whether nothing is missing before the next live batch. Before the first one: whether there was nothing more to read. */
  #hasReached(newest: number | undefined, nothingMore: boolean): boolean {
    return newest === undefined ? nothingMore : (this.#cursor ?? 0) >= newest;
  }

  /** A position beyond the end belongs to a log that has been deleted: the viewer then starts with the newest lines. */
  async #checkPosition(): Promise<void> {
    if (this.#cursor === undefined) return;
    const [last] = await this.#options.source.read({ tail: 1 });
    const end = last ? last.firstSeq + last.count - 1 : 0;
    if (end < this.#cursor) this.#cursor = undefined;
  }

  /** Sends the missing part of a batch, in several messages, so that other viewers get their turn in between. */
  async #append(batch: ConsoleBatch): Promise<void> {
    const { format } = this.#options.view;
    const last = batch.firstSeq + batch.count - 1;
    if (batch.firstSeq > (this.#cursor ?? batch.firstSeq - 1) + 1) await this.#skip(batch.firstSeq - 1);
    while (this.#mode === 'reading' && last > (this.#cursor ?? 0)) {
      const rest = linesAfter(batch, this.#cursor ?? 0);
      const message = firstLines(rest, { bytes: MESSAGE_BYTES, format });
      await this.#sendWhenRoom(batchMessage(message, format));
      this.#cursor = message.firstSeq + message.count - 1;
      // Not after the last one: whether this viewer has caught up must be decided before more live lines arrive.
      if (this.#cursor < last) await yieldTurn();
    }
  }

  async #skip(seq: number): Promise<void> {
    const lines = seq - (this.#cursor ?? seq);
    if (lines > 0) {
      await this.#sendWhenRoom(skippedMessage(lines, this.#options.view.format));
      this.#options.onSkipped?.(lines);
    }
    this.#cursor = Math.max(seq, this.#cursor ?? seq);
  }

  async #sendWhenRoom(message: Uint8Array | string): Promise<void> {
    const { outlet, frames } = this.#options;
    const frame = frames.text(message);
    await outlet.until(Math.max(0, MAX_IN_FLIGHT_BYTES - frame.bytes.length));
    if (this.#mode === 'reading') outlet.write(frame);
  }

  /** Returns the shared frame if this viewer needs all of it, else a frame with the lines after the cursor. */
  #liveFrame(shared: SharedBatch, cursor: number): Frame {
    const { view, frames } = this.#options;
    const { format } = view;
    return shared.batch.firstSeq === cursor + 1
      ? shared.frame(format)
      : frames.text(batchMessage(linesAfter(shared.batch, cursor), format));
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
