import type { ConsoleBatch } from '../services/console.ts';
import type { Frame, FrameMaker } from './frame.ts';
import { batchMessage, type Format } from './message.ts';

/** A live batch for all viewers: one frame per format, made when the first viewer needs it. */
export interface SharedBatch {
  batch: ConsoleBatch;
  frame(format: Format): Frame;
  /** The frame, if a viewer has needed it. */
  made(format: Format): Frame | undefined;
}

export function shareBatch(batch: ConsoleBatch, frames: FrameMaker): SharedBatch {
  const made: Partial<Record<Format, Frame>> = {};
  return {
    batch,
    frame(format) {
      made[format] ??= frames.text(batchMessage(batch, format));
      return made[format];
    },
    made: (format) => made[format],
  };
}
