import type { ConsoleBatch } from '../services/console.ts';

/** What a viewer asked for: the console's own text, or JSON with sequence numbers for clients that resume. */
export type Format = 'text' | 'json';

const LINE_FEED = 0x0a;
const LINE_END = /\r?\n/;

/** A batch as the payload of one message; one of no lines is the unfinished line, which only JSON can tell from a whole one. */
export function batchMessage(batch: ConsoleBatch, format: Format): Uint8Array {
  if (batch.count === 0) return Buffer.from(JSON.stringify({ unfinished: Buffer.from(batch.text).toString() }));
  if (format === 'text') return batch.text;
  const at = new Date(batch.at).toISOString();
  const texts = Buffer.from(batch.text).toString().split(LINE_END).slice(0, batch.count);
  return Buffer.from(
    JSON.stringify({ lines: texts.map((text, index) => ({ seq: batch.firstSeq + index, at, text })) }),
  );
}

/** Says that lines are gone: rotated away before this viewer came to them. */
export function skippedMessage(lines: number, format: Format): Uint8Array {
  return Buffer.from(format === 'json' ? JSON.stringify({ skipped: lines }) : notice(`skipped ${lines} lines`));
}

/** Says something to the viewer that the game server did not. */
export function noticeMessage(text: string, format: Format): Uint8Array {
  return Buffer.from(format === 'json' ? JSON.stringify({ notice: `[gamekeeper] ${text}` }) : notice(text));
}

/** The part of a batch that comes after line `seq`; the batch itself where that is all of it. */
export function linesAfter(batch: ConsoleBatch, seq: number): ConsoleBatch {
  const known = seq - batch.firstSeq + 1;
  if (known <= 0) return batch;
  let offset = 0;
  for (let line = 0; line < known; line++) offset = batch.text.indexOf(LINE_FEED, offset) + 1;
  return { ...batch, firstSeq: seq + 1, count: batch.count - known, text: batch.text.subarray(offset) };
}

function notice(text: string): string {
  return `[gamekeeper] ${text}\r\n`;
}
