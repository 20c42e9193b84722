import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { TransferOptions } from '../store.ts';
import type { Conversation } from '../transfer/conversation.ts';
import { readLocal } from '../transfer/local-file.ts';
import { paced } from '../transfer/pace.ts';
import type { Part } from './s3-etag.ts';

/** What goes to the network at once, so that a connection that stands still shows. */
const SLICE_BYTES = 256 * 1024;

/** A stretch of a file in memory, with the checksums that go along with it. */
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

/** The body of an upload, no faster than the limit. */
class BoundBody extends Readable {
  readonly sha256: string;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(chunks: AsyncIterator<Uint8Array>, sha256: string) {
    super();
    this.sha256 = sha256;
    this.#chunks = chunks;
    // It only fails when the transfer is aborted, and then nobody else may listen any more.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: Error) => this.destroy(error),
    );
  }
}

/** What a request needs to know of its body. */
export function bodyOf({ bytes, md5, sha256 }: PartContent, how: TransferOptions, conversation: Conversation) {
  return {
    Body: new BoundBody(paced(slices(bytes), how, conversation), sha256),
    ContentLength: bytes.length,
    ContentMD5: md5.toString('base64'),
  };
}

/** Puts the bodies' hashes under the signature, which the library leaves out for streams: what arrives otherwise is refused. */
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
