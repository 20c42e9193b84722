import type { FileHandle } from 'node:fs/promises';
import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';
import { ReusedMemory } from '../../../../shared/node/primitives/reused-memory.ts';
import { readAt } from './whole-lines.ts';

const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
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

/** What reads need, one at a time. */
export class ReadMemory {
  readonly file = new ReusedMemory();
  readonly texts = new ReusedMemory();
}

/** Returns lines from `seq`, about `maxBytes` of them and at least one; none at the end of the file. The texts are in `memory`. */
export async function readSegment(
  handle: FileHandle,
  from: Segment,
  { seq, maxBytes, memory }: { seq: number; maxBytes: number; memory: ReadMemory },
): Promise<SegmentRead> {
  let { seq: atSeq, offset } = from.marks.findLast((known) => known.seq <= seq)!;
  for (;;) {
    const wanted = atSeq === seq ? maxBytes + SLACK_BYTES : MARK_EVERY_BYTES + SLACK_BYTES;
    const bytes = await readAt(handle, offset, memory.file.take(wanted));
    const end = bytes.lastIndexOf(LF) + 1;
    let start = 0;
    while (atSeq < seq && start < end) {
      start = bytes.indexOf(LF, start) + 1;
      atSeq++;
    }
    mark(from, atSeq, offset + start);
    if (end === 0 || (atSeq === seq && start < end)) {
      const lines = bytes.subarray(start, end);
      return parseLines(lines, memory.texts.take(lines.length * 2), { firstSeq: seq, maxBytes });
    }
    offset += start;
  }
}

/**
 * Lines of the same time become one batch. `texts` has room for all of them: an empty line that has lost its time takes one byte in the file and two
 * here. A line without a time counts for the time of the one before.
 */
function parseLines(
  lines: Buffer,
  texts: Buffer,
  { firstSeq, maxBytes }: { firstSeq: number; maxBytes: number },
): SegmentRead {
  const from = viewOf(lines);
  const into = viewOf(texts);
  const batches: ConsoleBatch[] = [];
  let seq = firstSeq;
  let to = 0;
  for (let start = 0; start < lines.length && to < maxBytes; ) {
    const timeStart = start;
    const textStart = to;
    const isWhole = lines.indexOf(LF, start) >= start + PREFIX_BYTES;
    let count = 0;
    do {
      const lineFeed = isWhole ? copyLine(from, start + PREFIX_BYTES, into, to) : lines.indexOf(LF, start);
      if (isWhole) to += lineFeed - start - PREFIX_BYTES;
      texts[to++] = CR;
      texts[to++] = LF;
      count++;
      start = lineFeed + 1;
    } while (isWhole && start < lines.length && to < maxBytes && haveSameTime(from, timeStart, start));
    const time = Date.parse(lines.toString('latin1', timeStart, timeStart + TIME_BYTES));
    const at = Number.isNaN(time) ? (batches.at(-1)?.at ?? 0) : time;
    batches.push({ firstSeq: seq, count, at, skipped: 0, text: texts.subarray(textStart, to) });
    seq += count;
  }
  return { batches, nextSeq: seq };
}

/** Four times. */
const LINE_FEEDS = 0x0a0a0a0a;

/**
 * Copies the rest of a line, and returns the index of its line feed. Compares four bytes at a time, with
 * https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord: two calls of Buffer's methods for each line would take as long as all else.
 */
function copyLine(from: DataView, start: number, into: DataView, offset: number): number {
  const shift = offset - start;
  let at = start;
  for (; at < from.byteLength - 3; at += 4) {
    const word = from.getInt32(at, true);
    const zeros = word ^ LINE_FEEDS;
    if (((zeros - 0x01010101) & ~zeros & 0x80808080) !== 0) break;
    into.setInt32(at + shift, word, true);
  }
  for (let byte = from.getUint8(at); byte !== LF; byte = from.getUint8(++at)) into.setUint8(at + shift, byte);
  return at;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Compares the times of two lines. A call of Buffer's `compare` for each line would take most of the time of a read. */
function haveSameTime(lines: DataView, one: number, other: number): boolean {
  if (other + PREFIX_BYTES > lines.byteLength || lines.getUint8(other + TIME_BYTES) !== BLANK) return false;
  for (let at = 0; at < TIME_BYTES; at += Int32Array.BYTES_PER_ELEMENT)
    if (lines.getInt32(one + at) !== lines.getInt32(other + at)) return false;
  return true;
}

/** Returns the texts of whole lines, without their times. */
export function* textsOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LF, start);
    yield bytes.toString('utf8', start + PREFIX_BYTES, lineFeed);
    start = lineFeed + 1;
  }
}
