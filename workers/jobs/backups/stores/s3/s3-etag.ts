import { createHash } from 'node:crypto';
import { readLocal } from '../transfer/local-file.ts';
import type { Operation } from '../transfer/operation.ts';

/** Minimum size of a part. S3 requires 5 MiB for all but the last. */
const PART_BYTES = 8 * 1024 * 1024;
/** S3 allows 10,000. */
const MOST_PARTS = 9_000;

/** A part of a file that is uploaded on its own; `end` is exclusive. */
export interface Part {
  number: number;
  start: number;
  end: number;
}

/** Returns the parts of a file: always the same for the same size, so an upload can be resumed. */
export function partsOf(sizeBytes: number): Part[] {
  const bytes = Math.max(PART_BYTES, Math.ceil(sizeBytes / MOST_PARTS / PART_BYTES) * PART_BYTES);
  return Array.from({ length: Math.max(1, Math.ceil(sizeBytes / bytes)) }, (_, index) => ({
    number: index + 1,
    start: index * bytes,
    end: Math.min(sizeBytes, (index + 1) * bytes),
  }));
}

/**
 * Returns the hex SHA-256 of a file and the quoted ETag that it must have as an object: the MD5 of an object uploaded whole, else the MD5
 * of its parts' MD5s and their number. True of Amazon and most others, unless the vendor encrypts the object with a key of its own.
 */
export async function checksumsOf(
  { file, sizeBytes }: { file: string; sizeBytes: number },
  { signal, moved }: Operation,
): Promise<{ sha256: string; etag: string }> {
  const parts = partsOf(sizeBytes);
  const whole = createHash('sha256');
  const digests: Buffer[] = [];
  for (const { start, end } of parts) {
    const hash = createHash('md5');
    for await (const chunk of readLocal(file, { start, end })) {
      hash.update(chunk);
      whole.update(chunk);
    }
    digests.push(hash.digest());
    signal.throwIfAborted();
    moved();
  }
  const sha256 = whole.digest('hex');
  if (parts.length === 1) return { sha256, etag: `"${digests[0]!.toString('hex')}"` };
  const ofDigests = createHash('md5').update(Buffer.concat(digests)).digest('hex');
  return { sha256, etag: `"${ofDigests}-${parts.length}"` };
}
