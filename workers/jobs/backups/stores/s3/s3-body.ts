import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { TransferOptions } from '../store.ts';
import { readLocal } from '../transfer/local-file.ts';
import type { Operation } from '../transfer/operation.ts';
import { paced } from '../transfer/pace.ts';
import type { Part } from './s3-etag.ts';

/** Bytes per write to the network, so that a stalled connection is noticed. */
const SLICE_BYTES = 256 * 1024;

/** A part of a file in memory, with the checksums to send along. */
export interface PartContent {
  bytes: Buffer;
  md5: Buffer;
  /** Hex. */
  sha256: string;
}

export async function readPart(file: string, { start, end }: Part): Promise<PartContent> {
  const chunks: Buffer[] = [];
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  for await (const chunk of readLocal(file, { start, end })) {
    chunks.push(chunk);
    md5.update(chunk);
    sha256.update(chunk);
  }
  return { bytes: Buffer.concat(chunks), md5: md5.digest(), sha256: sha256.digest('hex') };
}

/** The body of an upload, at most as fast as the limit. */
class BoundBody extends Readable {
  readonly sha256: string;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(chunks: AsyncIterator<Uint8Array>, sha256: string) {
    super();
    this.sha256 = sha256;
    this.#chunks = chunks;
    // It only fails when the transfer is aborted, and the library may have stopped listening by then.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: Error) => this.destroy(error),
    );
  }
}

/** Returns the fields of a request that belong to its body. */
export function bodyOf({ bytes, md5, sha256 }: PartContent, how: TransferOptions, operation: Operation) {
  return {
    Body: new BoundBody(paced(slices(bytes), how, operation), sha256),
    ContentLength: bytes.length,
    ContentMD5: md5.toString('base64'),
  };
}

/** Adds the bodies' hashes to the signature, which the library omits for streams: the server then refuses anything else. */
export function bindBodies(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const { Body } = args.input as { Body?: unknown };
      const { headers } = args.request as { headers: Record<string, string> };
      if (Body instanceof BoundBody) headers['x-amz-content-sha256'] = Body.sha256;
      return next(args);
    },
    { step: 'build', name: 'bindBodies' },
  );
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES);
}
