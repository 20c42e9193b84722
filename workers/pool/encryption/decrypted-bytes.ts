import type { EncryptionSettings } from '../../../shared/schema/backup-settings.ts';
import { damaged } from '../extract/damaged.ts';
import type { FarBytes } from '../reading/remote-bytes.ts';
import { headerLength, MAX_HEADER_BYTES, openHeader } from './age-header.ts';
import { AgePayload, CHUNK_BYTES, NONCE_BYTES, TAG_BYTES } from './age-payload.ts';

const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES;

/**
 * Decrypts any part of an age file: the chunks are sealed one by one. Every chunk that is read is authentic and in its place, and whoever
 * reads the last one knows that nothing was cut off. Throws `decryption_failed` and `backup_damaged`.
 */
export async function decryptedBytes(sealed: FarBytes, encryption: EncryptionSettings): Promise<FarBytes> {
  const beginning = await sealed.read(0, Math.min(sealed.size, MAX_HEADER_BYTES + NONCE_BYTES));
  const header = headerLength(beginning);
  const first = header + NONCE_BYTES;
  if (beginning.length < first) throw tooShort();
  const fileKey = await openHeader(beginning.subarray(0, header), encryption);
  const payload = new AgePayload(fileKey, beginning.subarray(header, first));
  const chunks = Math.max(1, Math.ceil((sealed.size - first) / SEALED_BYTES));
  const size = sealed.size - first - chunks * TAG_BYTES;
  if (size < 0) throw tooShort();
  return {
    size,
    async read(start, end) {
      const from = Math.floor(start / CHUNK_BYTES);
      const to = Math.ceil(end / CHUNK_BYTES);
      const bytes = await sealed.read(first + from * SEALED_BYTES, Math.min(sealed.size, first + to * SEALED_BYTES));
      const plain: Buffer[] = [];
      payload.seek(from);
      for (let index = from; index < to; index++) {
        const chunk = bytes.subarray((index - from) * SEALED_BYTES, (index - from + 1) * SEALED_BYTES);
        plain.push(payload.open(chunk, index === chunks - 1));
      }
      return Buffer.concat(plain).subarray(start - from * CHUNK_BYTES, end - from * CHUNK_BYTES);
    },
  };
}

function tooShort() {
  return damaged('Its encrypted copy is too short.');
}
