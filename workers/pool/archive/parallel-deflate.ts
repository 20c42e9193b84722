import { Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';

/** Bytes that one thread compresses at a time, in proportion to the L2 cache as in pigz. */
const BLOCK_BYTES = 256 * 1024;
/** Deflate looks back this far (RFC 1951, 2). */
const WINDOW_BYTES = 32 * 1024;
/** libuv has four threads. */
const BLOCKS_AHEAD = 4;
/** Below this, handing it to another thread costs more than compressing it. */
export const MIN_PARALLEL_BYTES = 32 * 1024;
/** An empty last block (RFC 1951, 3.2.3: BFINAL 1, fixed codes, end of block). */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

const deflateInThread = promisify(deflateRaw);

/**
 * Deflates on several threads, like pigz: cuts the input into blocks, compresses each with the 32 KiB before it as dictionary, ends each on
 * a byte boundary, and joins the results to one ordinary deflate stream. Also computes what the ZIP entry needs: CRC-32 and both sizes.
 */
export class ParallelDeflate extends Transform {
  crc32 = 0;
  bytesIn = 0;
  bytesOut = 0;
  #window: Buffer = Buffer.alloc(0);
  readonly #inWork: Promise<Buffer>[] = [];

  constructor() {
    super({ writableHighWaterMark: BLOCK_BYTES * BLOCKS_AHEAD });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#compress(chunk).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    this.#giveOut(0).then(() => {
      this.bytesOut += LAST_BLOCK.length;
      done(null, LAST_BLOCK);
    }, done);
  }

  async #compress(chunk: Buffer): Promise<void> {
    this.crc32 = crc32(chunk, this.crc32);
    this.bytesIn += chunk.length;
    for (let start = 0; start < chunk.length; start += BLOCK_BYTES) {
      await this.#giveOut(BLOCKS_AHEAD - 1);
      const block = chunk.subarray(start, start + BLOCK_BYTES);
      this.#inWork.push(compressBlock(block, this.#window));
      this.#window = block.subarray(-WINDOW_BYTES);
    }
    // After the return, the chunk's memory belongs to the writer again.
    await this.#giveOut(0);
    this.#window = Buffer.from(this.#window);
  }

  /** Passes on finished blocks in order until `remaining` are in progress. */
  async #giveOut(remaining: number): Promise<void> {
    while (this.#inWork.length > remaining) {
      const compressed = await this.#inWork[0]!;
      this.#inWork.shift();
      this.bytesOut += compressed.length;
      this.push(compressed);
    }
  }
}

function compressBlock(block: Buffer, dictionary: Buffer): Promise<Buffer> {
  const options = {
    level: constants.Z_BEST_SPEED,
    // Ends the block on a byte boundary and leaves the stream open.
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: Math.max(1024, block.length),
    ...(dictionary.length > 0 && { dictionary }),
  };
  return block.length < MIN_PARALLEL_BYTES
    ? Promise.resolve(deflateRawSync(block, options))
    : deflateInThread(block, options);
}
