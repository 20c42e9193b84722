import type { ConsoleBatch } from '../services/console.ts';
import { textFrame } from './frame.ts';
import { batchMessage, type Format } from './message.ts';

/** A live batch on its way to all viewers: one frame for each format, made when the first viewer needs it. */
export interface SharedBatch {
  batch: ConsoleBatch;
  frame(format: Format): Buffer;
}

export function shareBatch(batch: ConsoleBatch): SharedBatch {
  const frames: Partial<Record<Format, Buffer>> = {};
  return {
    batch,
    frame(format) {
      frames[format] ??= textFrame(batchMessage(batch, format));
      return frames[format];
    },
  };
}
