import { setImmediate as othersTurn } from 'node:timers/promises';
import type { ConsoleBatch, ConsoleSource } from '../services/console.ts';
import type { Frame, FrameMaker } from './frame.ts';
import { batchMessage, type Format, firstLines, linesAfter, noticeMessage, skippedMessage } from './message.ts';
import type { Outlet } from './outlet.ts';
import type { SharedBatch } from './shared-batch.ts';

/** What may wait in the gateway for one viewer (api.md, Console WebSocket). */
const MAX_IN_FLIGHT_BYTES = 1024 * 1024;
/** Read at a time by a viewer that is behind: a quarter of what may be in flight, so that reading and sending overlap. */
const READ_BYTES = 256 * 1024;
/** What a viewer that is behind is sent goes in messages of about this size; in JSON, which escapes, a few times as much. */
const MESSAGE_BYTES = 64 * 1024;
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

/** What a client asked to see. */
export interface ViewRequest {
  format: Format;
  /** Number of the last line that the client has; `undefined`: start with the newest lines. */
  after: number | undefined;
  /** Whether to show the line that has not ended yet. */
  unfinished: boolean;
}

export interface ViewerOptions {
  outlet: Outlet;
  source: ConsoleSource;
  frames: FrameMaker;
  view: ViewRequest;
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
    this.#cursor = options.view.after;
  }

  /** Takes a live batch, unless this viewer is not up to it. */
  take(shared: SharedBatch, live: LivePosition): void {
    if (this.#mode !== 'live') return;
    const { batch } = shared;
    const last = batch.firstSeq + batch.count - 1;
    const cursor = this.#cursor ?? batch.firstSeq - 1;
    if (last <= cursor) return;
    const isNext = batch.firstSeq <= cursor + 1;
    // A frame is never shorter than its text: where that is too much already, none is made.
    if (!isNext || !this.#hasRoom(batch.text.length) || !this.#send(this.#liveFrame(shared, cursor))) {
      this.#cursor = cursor;
      this.catchUp(live);
      return;
    }
    this.#cursor = last;
  }

  /** Shows the unfinished line, unless this viewer is not up to it: then it follows when it is. */
  showUnfinished(live: LivePosition): void {
    if (!this.#options.view.unfinished || this.#mode !== 'live' || !live.unfinished) return;
    if (!this.#send(live.unfinished.frame('json'))) this.catchUp(live);
  }

  /** Says something that the game server did not. One that has too much waiting misses it: nobody fills this memory by asking. */
  say(text: string): void {
    const { view, frames } = this.#options;
    this.#send(frames.text(noticeMessage(text, view.format)));
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
      await outlet.until(MAX_IN_FLIGHT_BYTES - READ_BYTES);
      const cursor = this.#cursor;
      const { newest: newestBefore } = live;
      const batches = await source.read(
        cursor === undefined ? { tail: TAIL_LINES } : { after: cursor, maxBytes: READ_BYTES },
      );
      for (const [index, batch] of batches.entries()) {
        if (index > 0) await othersTurn();
        await this.#append(batch);
      }
      if (this.#mode !== 'reading') return;
      if (this.#hasReached(live.newest, batches.length === 0)) {
        this.#mode = 'live';
        this.showUnfinished(live); // which may begin another reading: this one is over
        return;
      }
      if (batches.length === 0 && newestBefore !== undefined) {
        // A line that was live before it was read for and yet is not there will not come any more. One that came live meanwhile
        // may have been printed behind the reading's back: the next reading has it.
        await this.#skip(newestBefore);
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

  /** Sends what of a batch this viewer has not got, in messages between which others have their turn. */
  async #append(batch: ConsoleBatch): Promise<void> {
    const { format } = this.#options.view;
    const last = batch.firstSeq + batch.count - 1;
    if (batch.firstSeq > (this.#cursor ?? batch.firstSeq - 1) + 1) await this.#skip(batch.firstSeq - 1);
    while (this.#mode === 'reading' && last > (this.#cursor ?? 0)) {
      const rest = linesAfter(batch, this.#cursor ?? 0);
      const message = firstLines(rest, { bytes: MESSAGE_BYTES, format });
      await this.#sendWhenRoom(batchMessage(message, format));
      this.#cursor = message.firstSeq + message.count - 1;
      // Not behind the last: whether this viewer has caught up is asked before more comes live.
      if (this.#cursor < last) await othersTurn();
    }
  }

  /** Lines up to `seq` are nowhere any more. */
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

  /** Only what comes behind the cursor, which the others' frame is where that is all of it. */
  #liveFrame(shared: SharedBatch, cursor: number): Frame {
    const { view, frames } = this.#options;
    const { format } = view;
    return shared.batch.firstSeq === cursor + 1
      ? shared.frame(format)
      : frames.text(batchMessage(linesAfter(shared.batch, cursor), format));
  }

  /** Sends a frame at once. False where that would be too much in flight. */
  #send(frame: Frame): boolean {
    if (!this.#hasRoom(frame.bytes.length)) return false;
    this.#options.outlet.write(frame);
    return true;
  }

  #hasRoom(bytes: number): boolean {
    return this.#options.outlet.waiting + bytes <= MAX_IN_FLIGHT_BYTES;
  }
}
