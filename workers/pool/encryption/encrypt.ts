import { createHash, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { wrongHash } from '../extract/damaged.ts';
import { Progress } from '../progress.ts';
import { blocksOf } from '../reading/file-blocks.ts';
import type { EncryptResult, EncryptTask } from '../task-types.ts';
import { newHeader } from './age-header.ts';
import { AgePayload, CHUNK_BYTES, NONCE_BYTES, TAG_BYTES } from './age-payload.ts';

/** Chunks read and written together. */
const CHUNKS_AT_ONCE = 16;

/** Encrypts an archive with age. Verifies its hash on the way, since damage inside an encrypted copy would only show in a restore. */
export async function encrypt(task: EncryptTask): Promise<EncryptResult> {
  const progress = new Progress(task.progress);
  const source = await open(task.source, 'r');
  try {
    const { size } = await source.stat();
    progress.expect(size);
    const { header, fileKey } = await newHeader(task.encryption);
    const chunks = Math.max(1, Math.ceil(size / CHUNK_BYTES));
    const sizeBytes = header.length + NONCE_BYTES + size + chunks * TAG_BYTES;
    await requireSpace(path.dirname(task.target), sizeBytes, 'The encrypted copy');

    const target = await open(task.target, 'w', 0o600);
    try {
      const nonce = randomBytes(NONCE_BYTES);
      const payload = new AgePayload(fileKey, nonce);
      const plainHash = createHash('sha256');
      const hash = createHash('sha256');
      const write = async (bytes: Buffer) => {
        hash.update(bytes);
        // writeFile() on a handle appends, and writes everything.
        await target.writeFile(bytes);
      };
      await write(Buffer.concat([header, nonce]));
      for await (const { bytes, isLast } of blocksOf(source, {
        start: 0,
        end: size,
        blockBytes: CHUNKS_AT_ONCE * CHUNK_BYTES,
      })) {
        plainHash.update(bytes);
        await write(sealed(bytes, isLast, payload));
        progress.advance(bytes.length);
      }
      if (plainHash.digest('hex') !== task.sha256) throw wrongHash();
      await target.sync();
      return { sizeBytes, sha256: hash.digest('hex') };
    } catch (error) {
      throw withStorageError(error, 'the encrypted copy');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function sealed(bytes: Buffer, isLast: boolean, payload: AgePayload): Buffer {
  const chunks = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES));
  const out = Buffer.allocUnsafe(bytes.length + chunks * TAG_BYTES);
  for (let index = 0; index < chunks; index++) {
    const chunk = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    payload.seal(chunk, out.subarray(index * (CHUNK_BYTES + TAG_BYTES)), isLast && index === chunks - 1);
  }
  return out;
}
