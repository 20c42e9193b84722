import type { ConsoleBatch, ConsoleSource } from '../services/console.ts';
import type { FrameMaker } from './frame.ts';
import type { Format } from './message.ts';
import { Reel } from './reel.ts';
import { type SharedBatch, shareBatch } from './shared-batch.ts';
import type { LivePosition, Viewer } from './viewer.ts';

/** Distributes one stream from the supervisor to all viewers of a console. The stream is open while there are viewers. */
export interface Hub extends LivePosition {
  join(viewer: Viewer): () => void;
  /** What viewers who are behind send. */
  reel(format: Format): Reel;
}

export interface HubOptions {
  source: ConsoleSource;
  frames: FrameMaker;
  onGone: () => void;
  onEmpty: () => void;
}

export function createHub({ source, frames, onGone, onEmpty }: HubOptions): Hub {
  const viewers = new Set<Viewer>();
  const reels = new Map<Format, Reel>();
  let stop: (() => void) | undefined;
  let isOpen = false;
  let newest: number | undefined;
  let unfinished: SharedBatch | undefined;

  const hub: Hub = {
    get isOpen() {
      return isOpen;
    },
    get newest() {
      return newest;
    },
    get unfinished() {
      return unfinished;
    },
    join(viewer) {
      viewers.add(viewer);
      stop ??= source.follow({ onOpen, onBatch, onLost, onGone });
      if (isOpen) viewer.catchUp(hub);
      return () => leave(viewer);
    },
    reel(format) {
      const reel = reels.get(format) ?? new Reel({ source, frames, format });
      reels.set(format, reel);
      return reel;
    },
  };

  function leave(viewer: Viewer): void {
    viewer.close();
    if (!viewers.delete(viewer) || viewers.size > 0) return;
    stop?.();
    stop = undefined;
    onLost();
    onEmpty();
  }

  function onOpen(): void {
    isOpen = true;
    for (const viewer of viewers) viewer.catchUp(hub);
  }

  function onLost(): void {
    isOpen = false;
    newest = undefined;
    unfinished = undefined;
    for (const reel of reels.values()) reel.clear();
  }

  /** The batch's memory is reused after this returns. */
  function onBatch(batch: ConsoleBatch): void {
    if (batch.count === 0) {
      unfinished = shareBatch({ ...batch, text: Uint8Array.from(batch.text) }, frames);
      for (const viewer of viewers) viewer.showUnfinished(hub);
      return;
    }
    newest = batch.firstSeq + batch.count - 1;
    unfinished = undefined;
    const shared = shareBatch(batch, frames);
    for (const viewer of viewers) viewer.take(shared, hub);
    for (const [format, reel] of reels) {
      const frame = shared.made(format);
      if (frame) reel.add(batch, frame);
    }
  }

  return hub;
}
