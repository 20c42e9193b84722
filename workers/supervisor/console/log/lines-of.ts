import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';

const LF = 0x0a;

/** The part of a batch that comes after line `after`, about `maxBytes` of it and at least one line. Nothing is copied. */
export function linesOf(batch: ConsoleBatch, { after, maxBytes }: { after: number; maxBytes: number }): ConsoleBatch {
  const { text } = batch;
  const leftOut = Math.max(0, after - batch.firstSeq + 1);
  let start = 0;
  for (let line = 0; line < leftOut; line++) start = text.indexOf(LF, start) + 1;
  let count = batch.count - leftOut;
  let end = text.byteLength;
  if (end - start > maxBytes) {
    count = 0;
    end = start;
    do {
      end = text.indexOf(LF, end) + 1;
      count++;
    } while (end - start < maxBytes);
  }
  return { ...batch, firstSeq: batch.firstSeq + leftOut, count, text: text.subarray(start, end) };
}
