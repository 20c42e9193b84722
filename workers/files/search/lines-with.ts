import { createReadStream, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import type { MatchedLine } from '../../../shared/schema/files.ts';
import { LONGEST_LINE, maskLines } from '../masking/mask-lines.ts';
import { LOOKED_AT_BYTES, readabilityOf } from '../masking/readability.ts';
import { BORROWED } from '../transfer/borrowed-descriptor.ts';

/** Searching takes time in the event loop. */
const READ_BYTES = 64 * 1024;
const SHOWN_BEFORE = 80;
const SHOWN_CHARACTERS = 300;

export interface Wanted {
  /** Part of a line. Case does not matter. */
  contains: string;
  /** `undefined` if nothing is hidden. */
  secrets: readonly string[] | undefined;
  /** The most lines. */
  most: number;
}

/**
 * Returns the first lines of a text file that contain something, and how many bytes were read. For somebody who may only read, in the text as it is
 * masked: else the search would tell what the masks hide. Nothing for files that are no text.
 */
export async function linesWith(
  { descriptor, path }: { descriptor: number; path: string },
  { contains, secrets, most }: Wanted,
  signal: AbortSignal,
): Promise<{ lines: MatchedLine[]; bytes: number }> {
  const beginning = Buffer.alloc(LOOKED_AT_BYTES);
  const length = readSync(descriptor, beginning, 0, LOOKED_AT_BYTES, 0);
  const name = secrets ? splitFilePath(path).name : '';
  if (readabilityOf(name, beginning.subarray(0, length)) !== 'text') return { lines: [], bytes: length };
  const source = createReadStream('', { ...BORROWED, fd: descriptor, start: 0, highWaterMark: READ_BYTES });
  const found = new LineSearch(contains, most);
  const take = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) if (found.take(chunk)) return;
    found.end();
  };
  if (secrets) {
    const masks = maskLines({ readability: 'text', secrets, start: 0, end: Number.MAX_SAFE_INTEGER - 1 });
    await pipeline(source, masks, take, { signal });
  } else {
    await pipeline(source, take, { signal });
  }
  return { lines: found.lines, bytes: source.bytesRead };
}

class LineSearch {
  readonly lines: MatchedLine[] = [];
  readonly #needle: string;
  readonly #most: number;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #number = 1;

  constructor(contains: string, most: number) {
    this.#needle = contains.toLowerCase();
    this.#most = most;
  }

  /** Returns true when there are enough lines. */
  take(chunk: Buffer): boolean {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    const isLong = end === 0 && text.length > LONGEST_LINE;
    this.#search(isLong ? text : text.slice(0, end));
    // Of a line that is searched in pieces, the needle may be in two of them.
    this.#rest = isLong ? text.slice(-this.#needle.length) : text.slice(end);
    return this.lines.length >= this.#most;
  }

  end(): void {
    this.#search(this.#rest);
  }

  #search(block: string): void {
    const isEmpty = !block.toLowerCase().includes(this.#needle);
    const lines = block.split('\n');
    if (!isEmpty) for (const [index, line] of lines.entries()) this.#look(line, this.#number + index);
    this.#number += lines.length - 1;
  }

  #look(line: string, number: number): void {
    const at = line.toLowerCase().indexOf(this.#needle);
    if (at === -1 || this.lines.length >= this.#most || this.lines.at(-1)?.number === number) return;
    const start = Math.max(0, at - SHOWN_BEFORE);
    const text = line.slice(start, start + SHOWN_CHARACTERS).trim();
    this.lines.push({ number, text: text.toWellFormed() });
  }
}
