import { type FilesCalls, UNTIMED } from './files-calls.ts';

const BLOCK_BYTES = 256 * 1024;
/** Blocks that are fetched before they are asked for. */
const AHEAD = 4;
/** Blocks of one session in memory. */
const MOST_BLOCKS = 16;

interface Reading {
  handle: number;
  sizeBytes: number;
  /** Where a client that reads from the beginning to the end goes on. */
  next: number;
}

/** Fetches what clients will ask for next, in blocks: they ask for small pieces. Other reads go through as they are. */
export class ReadAhead {
  readonly #files: Pick<FilesCalls, 'readHandle'>;
  readonly #blocks = new Map<string, Promise<Buffer>>();
  readonly #readings = new Map<number, Reading>();

  constructor(files: Pick<FilesCalls, 'readHandle'>) {
    this.#files = files;
  }

  begin(handle: number, sizeBytes: number): void {
    this.#readings.set(handle, { handle, sizeBytes, next: 0 });
  }

  end(handle: number): void {
    this.#readings.delete(handle);
    for (const key of this.#blocks.keys()) if (key.startsWith(`${handle}/`)) this.#blocks.delete(key);
  }

  async read(handle: number, offset: number, length: number): Promise<Buffer> {
    const reading = this.#readings.get(handle);
    const isNext =
      reading !== undefined && (offset === reading.next || this.#blocks.has(keyOf(handle, indexOf(offset))));
    if (!isNext || offset >= reading.sizeBytes) return await this.#fetch(handle, offset, length);
    reading.next = offset + length;
    const first = indexOf(offset);
    const last = indexOf(offset + length - 1);
    const wanted: Promise<Buffer>[] = [];
    for (let index = first; index <= last; index++) wanted.push(this.#block(reading, index));
    for (let index = last + 1; index <= last + AHEAD && index * BLOCK_BYTES < reading.sizeBytes; index++)
      this.#block(reading, index);
    const blocks = await Promise.all(wanted);
    return join(blocks, offset - first * BLOCK_BYTES, length);
  }

  #block({ handle }: Reading, index: number): Promise<Buffer> {
    const key = keyOf(handle, index);
    const present = this.#blocks.get(key);
    if (present) return present;
    const block = this.#fetch(handle, index * BLOCK_BYTES, BLOCK_BYTES);
    this.#blocks.set(key, block);
    block.then(
      // The file may grow, so its last block is fetched again.
      ({ length }) => length < BLOCK_BYTES && this.#blocks.delete(key),
      () => this.#blocks.delete(key),
    );
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > MOST_BLOCKS) this.#blocks.delete(oldest!);
    return block;
  }

  #fetch(handle: number, offset: number, length: number): Promise<Buffer> {
    return this.#files.readHandle({ handle, offset, length }, UNTIMED) as Promise<Buffer>;
  }
}

/** A block that is shorter ends the file. */
function join(blocks: readonly Buffer[], start: number, length: number): Buffer {
  const [first] = blocks;
  if (blocks.length === 1) return first!.subarray(start, start + length);
  const short = blocks.findIndex((block) => block.length < BLOCK_BYTES);
  const usable = short === -1 ? blocks : blocks.slice(0, short + 1);
  return Buffer.concat(usable).subarray(start, start + length);
}

function indexOf(offset: number): number {
  return Math.floor(offset / BLOCK_BYTES);
}

function keyOf(handle: number, index: number): string {
  return `${handle}/${index}`;
}
