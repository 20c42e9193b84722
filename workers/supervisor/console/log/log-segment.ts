import type { FileHandle } from 'node:fs/promises';
import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';
import { readAt } from './whole-lines.ts';

const LF = 0x0a;
const CR = 0x0d;
/** `2026-11-20T08:15:00.123Z`, which a blank follows. */
const TIME_BYTES = 24;
const PREFIX_BYTES = TIME_BYTES + 1;
/** Distance of the marks in a segment, and so the maximum that is read in vain to find a line. */
const MARK_EVERY_BYTES = 256 * 1024;
/** Read in addition, so that at least one line is whole: more than twice the longest line. */
const SLACK_BYTES = 192 * 1024;

/** One file of a console log: lines of `<ISO time> <text>`, numbered from `firstSeq`. */
export interface Segment {
  file: string;
  firstSeq: number;
  /** Line `seq` begins at `offset`; ascending, beginning with the first line. */
  marks: { seq: number; offset: number }[];
}

export function createSegment(file: string, firstSeq: number): Segment {
  return { file, firstSeq, marks: [{ seq: firstSeq, offset: 0 }] };
}

/** Remembers where a line begins, unless another mark is near. */
export function mark({ marks }: Segment, seq: number, offset: number): void {
  const last = marks.at(-1)!;
  if (seq > last.seq && offset - last.offset >= MARK_EVERY_BYTES) marks.push({ seq, offset });
}

/** Returns how many bytes a batch takes in the file: each line gains its time and loses its CR, which pagers show. */
export function bytesInFile({ count, text }: ConsoleBatch): number {
  return text.byteLength + count * (PREFIX_BYTES - 1);
}

/** Formats a batch for the file, at the beginning of `memory`. */
export function formatBatch({ at, text }: ConsoleBatch, memory: Buffer): void {
  const prefix = Buffer.from(`${new Date(at).toISOString()} `, 'latin1');
  const lines = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  let to = 0;
  for (let start = 0; start < lines.length; ) {
    const lineFeed = lines.indexOf(LF, start);
    memory.set(prefix, to);
    to += PREFIX_BYTES;
    to += lines.copy(memory, to, start, lineFeed - 1);
    memory[to++] = LF;
    start = lineFeed + 1;
  }
}

export interface SegmentRead {
  batches: ConsoleBatch[];
  /** Number of the next line. */
  nextSeq: number;
}

/** Returns lines from `seq`, about `maxBytes` of them and at least one; none at the end of the file. */
export async function readSegment(
  handle: FileHandle,
  from: Segment,
  { seq, maxBytes }: { seq: number; maxBytes: number },
): Promise<SegmentRead> {
  let { seq: atSeq, offset } = from.marks.findLast((known) => known.seq <= seq)!;
  for (;;) {
    const wanted = atSeq === seq ? maxBytes + SLACK_BYTES : MARK_EVERY_BYTES + SLACK_BYTES;
    const bytes = await readAt(handle, offset, wanted);
    const end = bytes.lastIndexOf(LF) + 1;
    let start = 0;
    while (atSeq < seq && start < end) {
      start = bytes.indexOf(LF, start) + 1;
      atSeq++;
    }
    mark(from, atSeq, offset + start);
    if (end === 0 || (atSeq === seq && start < end)) return parseLines(bytes.subarray(start, end), seq, maxBytes);
    offset += start;
  }
}

/** Lines of the same time become one batch. All batches share one buffer. */
function parseLines(bytes: Buffer, firstSeq: number, maxBytes: number): SegmentRead {
  const texts = Buffer.allocUnsafe(Math.min(bytes.length, maxBytes + SLACK_BYTES));
  const batches: ConsoleBatch[] = [];
  let seq = firstSeq;
  let to = 0;
  for (let start = 0; start < bytes.length && to < maxBytes; ) {
    const time = bytes.subarray(start, start + TIME_BYTES);
    const textStart = to;
    let count = 0;
    while (start < bytes.length && to < maxBytes && time.compare(bytes, start, start + TIME_BYTES) === 0) {
      const lineFeed = bytes.indexOf(LF, start);
      to += bytes.copy(texts, to, start + PREFIX_BYTES, lineFeed);
      texts[to++] = CR;
      texts[to++] = LF;
      count++;
      start = lineFeed + 1;
    }
    const at = Date.parse(time.toString('latin1'));
    batches.push({ firstSeq: seq, count, at, skipped: 0, text: texts.subarray(textStart, to) });
    seq += count;
  }
  return { batches, nextSeq: seq };
}

/** Returns the texts of whole lines, without their times. */
export function* textsOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LF, start);
    yield bytes.toString('utf8', start + PREFIX_BYTES, lineFeed);
    start = lineFeed + 1;
  }
}
