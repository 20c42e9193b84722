import { NOTICE_PREFIX } from '../../shared/domain/console/notice-prefix.ts';
import type { ConsoleBatch } from '../services/console.ts';

/** `text`: the console's own text. `json`: with sequence numbers, for clients that resume. */
export type Format = 'text' | 'json';

const LINE_FEED = 0x0a;
const LINE_END = /\r?\n/;

/** Roughly what a line takes in JSON besides its text: number, time, names. */
const JSON_LINE_BYTES = 64;

/** Returns a batch as the payload of a message. A batch without lines contains the unfinished line, which exists in JSON only. */
export function batchMessage(batch: ConsoleBatch, format: Format): Uint8Array | string {
  if (batch.count === 0) return JSON.stringify({ unfinished: textOf(batch) });
  if (format === 'text') return batch.text;
  const at = new Date(batch.at).toISOString();
  const texts = textOf(batch).split(LINE_END).slice(0, batch.count);
  const lines = texts.map((text, index) => {
    const line = { seq: batch.firstSeq + index, at, text };
    return text.startsWith(NOTICE_PREFIX) ? { ...line, notice: true } : line;
  });
  return JSON.stringify({ lines });
}

/**
 * Returns the first lines of a batch, at least one, that make a message of about `bytes`; in JSON up to six times as many if the lines
 * consist of colour codes.
 */
export function firstLines(batch: ConsoleBatch, { bytes, format }: { bytes: number; format: Format }): ConsoleBatch {
  const perLine = format === 'json' ? JSON_LINE_BYTES : 0;
  if (batch.text.length + batch.count * perLine <= bytes) return batch;
  let end = batch.text.indexOf(LINE_FEED) + 1;
  let count = 1;
  while (count < batch.count) {
    const next = batch.text.indexOf(LINE_FEED, end) + 1;
    if (next + (count + 1) * perLine > bytes) break;
    end = next;
    count++;
  }
  return { ...batch, count, text: batch.text.subarray(0, end) };
}

/** Announces lines that were rotated away before this viewer could read them. */
export function skippedMessage(lines: number, format: Format): string {
  return format === 'json' ? JSON.stringify({ skipped: lines }) : notice(`skipped ${lines} lines`);
}

export function noticeMessage(text: string, format: Format): string {
  return format === 'json' ? JSON.stringify({ notice: `${NOTICE_PREFIX}${text}` }) : notice(text);
}

/** Returns the part of a batch after line `seq`; the batch itself if that is all of it. */
export function linesAfter(batch: ConsoleBatch, seq: number): ConsoleBatch {
  const known = seq - batch.firstSeq + 1;
  if (known <= 0) return batch;
  let offset = 0;
  for (let line = 0; line < known; line++) offset = batch.text.indexOf(LINE_FEED, offset) + 1;
  return { ...batch, firstSeq: seq + 1, count: batch.count - known, text: batch.text.subarray(offset) };
}

/** Returns the part of a batch up to line `seq`, which may be none; the batch itself if that is all of it. */
export function linesThrough(batch: ConsoleBatch, seq: number): ConsoleBatch {
  const count = seq - batch.firstSeq + 1;
  if (count >= batch.count) return batch;
  let end = 0;
  for (let line = 0; line < count; line++) end = batch.text.indexOf(LINE_FEED, end) + 1;
  return { ...batch, count: Math.max(0, count), text: batch.text.subarray(0, end) };
}

function textOf({ text }: ConsoleBatch): string {
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString();
}

function notice(text: string): string {
  return `${NOTICE_PREFIX}${text}\r\n`;
}
