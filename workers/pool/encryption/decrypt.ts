import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { wrongHash } from '../extract/damaged.ts';
import { Progress } from '../progress.ts';
import { blocksOf } from '../reading/file-blocks.ts';
import type { DecryptResult, DecryptTask } from '../task-types.ts';
import { headerLength, MAX_HEADER_BYTES, openHeader } from './age-header.ts';
import { AgePayload, CHUNK_BYTES, NONCE_BYTES, TAG_BYTES } from './age-payload.ts';

const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES;
/** Chunks read and written together. */
const CHUNKS_AT_ONCE = 16;

/** Decrypts an age file. Throws unless every chunk is authentic and the result has the expected hash. */
export async function decrypt(task: DecryptTask): Promise<DecryptResult> {
  const progress = new Progress(task.progress);
  const source = await open(task.source, 'r');
  try {
    const { size } = await source.stat();
    progress.expect(size);
    const { payload, start } = await beginning(source, task);
    await requireSpace(path.dirname(task.target), size - start, 'The decrypted archive');

    const target = await open(task.target, 'w', 0o600);
    try {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      progress.advance(start);
      for await (const { bytes, isLast } of blocksOf(source, {
        start,
        end: size,
        blockBytes: CHUNKS_AT_ONCE * SEALED_BYTES,
      })) {
        const plain = opened(bytes, isLast, payload);
        hash.update(plain);
        await target.writeFile(plain);
        sizeBytes += plain.length;
        progress.advance(bytes.length);
      }
      const sha256 = hash.digest('hex');
      if (sha256 !== task.sha256) throw wrongHash();
      await target.sync();
      return { sizeBytes };
    } catch (error) {
      throw withStorageError(error, 'the decrypted archive');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function beginning(
  source: FileHandle,
  { encryption }: DecryptTask,
): Promise<{ payload: AgePayload; start: number }> {
  const buffer = Buffer.alloc(MAX_HEADER_BYTES + NONCE_BYTES);
  const { bytesRead } = await source.read(buffer, 0, buffer.length, 0);
  const length = headerLength(buffer.subarray(0, bytesRead));
  const start = length + NONCE_BYTES;
  const fileKey = await openHeader(buffer.subarray(0, length), encryption);
  return { payload: new AgePayload(fileKey, buffer.subarray(length, start)), start };
}

function opened(bytes: Buffer, isLast: boolean, payload: AgePayload): Buffer {
  const chunks = Math.max(1, Math.ceil(bytes.length / SEALED_BYTES));
  return Buffer.concat(
    Array.from({ length: chunks }, (_, index) =>
      payload.open(bytes.subarray(index * SEALED_BYTES, (index + 1) * SEALED_BYTES), isLast && index === chunks - 1),
    ),
  );
}
