import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { firstToMask, LONGEST_LINE, type MaskOptions } from '../masking/mask-lines.ts';
import { maskOf } from '../masking/mask-of.ts';
import { BORROWED } from '../transfer/borrowed-descriptor.ts';

/** Masking takes time in the event loop. */
const READ_BYTES = 64 * 1024;

/** Reads part of a file, both ends included, with secrets replaced by as many asterisks. Throws `insufficient_scope` for what cannot be masked. */
export async function readMasked(
  file: { descriptor: number; path: string },
  { start, end, secrets }: Omit<MaskOptions, 'readability'>,
): Promise<Buffer> {
  const around = { start: firstToMask(start), end: end + LONGEST_LINE };
  return await pipeline(
    createReadStream('', { ...BORROWED, fd: file.descriptor, ...around, highWaterMark: READ_BYTES }),
    maskOf(file, { start, end, secrets }),
    async (chunks: AsyncIterable<Buffer>) => {
      const parts: Buffer[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      return Buffer.concat(parts);
    },
  );
}
