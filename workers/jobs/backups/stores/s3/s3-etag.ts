import { createHash } from 'node:crypto';
import type { Conversation } from '../transfer/conversation.ts';
import { readLocal } from '../transfer/local-file.ts';

/** What one part has at least; only the last may be smaller than 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Of the 10,000 that are allowed. */
const MOST_PARTS = 9_000;

/** A stretch of a file that is uploaded on its own; `end` is exclusive. */
export interface Part {
  number: number;
  start: number;
  end: number;
}

/** The parts of a file. Always the same for the same size, so that another attempt can go on with them. */
export function partsOf(sizeBytes: number): Part[] {
  const bytes = Math.max(PART_BYTES, Math.ceil(sizeBytes / MOST_PARTS / PART_BYTES) * PART_BYTES);
  return Array.from({ length: Math.max(1, Math.ceil(sizeBytes / bytes)) }, (_, index) => ({
    number: index + 1,
    start: index * bytes,
    end: Math.min(sizeBytes, (index + 1) * bytes),
  }));
}

/**
 * Hex SHA-256 of a file, and the ETag that it must have as an object, quoted: the MD5 of an object that came whole, else the MD5 of its
 * parts' MD5s and their number. So it is at Amazon and most others, as long as no key of the vendor's encrypts it.
 */
export async function checksumsOf(
  { file, sizeBytes }: { file: string; sizeBytes: number },
  { signal, moved }: Conversation,
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
