import type * as S3 from '@aws-sdk/client-s3';
import type { TransferOptions } from '../store.ts';
import type { LocalObject } from '../transfer/local-object.ts';
import { type Operation, whileRemoteWorks } from '../transfer/operation.ts';
import { bodyOf, readPart } from './s3-body.ts';
import { type Part, partsOf } from './s3-etag.ts';

/** Parts uploaded at a time; each is in memory. With a bandwidth limit only one, which the limit applies to. */
const AT_ONCE = 4;

const CONTENT = { ContentType: 'application/octet-stream' };

export interface Bucket {
  client: S3.S3Client;
  s3: typeof S3;
  nameOf(key: string): { Bucket: string; Key: string };
}

/** Uploads a small file whole, a large one in parts, without the parts that an earlier attempt has uploaded. The caller checks it. */
export async function upload(
  bucket: Bucket,
  object: LocalObject,
  how: TransferOptions,
  operation: Operation,
): Promise<void> {
  const { client, s3, nameOf } = bucket;
  const { signal } = operation;
  const parts = partsOf(object.sizeBytes);
  if (parts.length === 1) {
    const body = bodyOf(await readPart(object.file, parts[0]!), how, operation);
    const command = new s3.PutObjectCommand({ ...nameOf(object.key), ...CONTENT, ...body });
    await client.send(command, { abortSignal: signal });
    return;
  }

  const found = await findUpload(bucket, object.key, signal);
  const begin = new s3.CreateMultipartUploadCommand({ ...nameOf(object.key), ...CONTENT });
  const UploadId = found ?? (await client.send(begin, { abortSignal: signal })).UploadId!;
  const there = found === undefined ? new Map<number, string>() : await partsThere(bucket, object.key, found, signal);

  const etags = new Map<number, string>();
  const send = async (part: Part, talk: Operation) => {
    const content = await readPart(object.file, part);
    talk.moved();
    const etag = `"${content.md5.toString('hex')}"`;
    if (there.get(part.number) === etag) {
      how.onProgress(content.bytes.length);
      etags.set(part.number, etag);
      return;
    }
    const body = bodyOf(content, how, talk);
    const command = new s3.UploadPartCommand({ ...nameOf(object.key), UploadId, PartNumber: part.number, ...body });
    const { ETag } = await client.send(command, { abortSignal: talk.signal });
    talk.moved();
    etags.set(part.number, ETag!);
  };
  await several(parts, how.bytesPerSecond === undefined ? AT_ONCE : 1, operation, send);

  const Parts = parts.map(({ number }) => ({ PartNumber: number, ETag: etags.get(number) }));
  const complete = { ...nameOf(object.key), UploadId, MultipartUpload: { Parts } };
  const command = new s3.CompleteMultipartUploadCommand(complete);
  await whileRemoteWorks(operation, () => client.send(command, { abortSignal: signal }));
  if (found !== undefined) await abortUploads(bucket, object.key, signal);
}

/** Removes the parts of unfinished uploads of a key, which cost money without being visible. */
export async function abortUploads(bucket: Bucket, key: string, signal: AbortSignal): Promise<void> {
  const { client, s3, nameOf } = bucket;
  for (const UploadId of await uploadsOf(bucket, key, signal))
    await client.send(new s3.AbortMultipartUploadCommand({ ...nameOf(key), UploadId }), { abortSignal: signal });
}

async function findUpload(bucket: Bucket, key: string, signal: AbortSignal): Promise<string | undefined> {
  return (await uploadsOf(bucket, key, signal)).at(-1);
}

/** Returns the ids of the unfinished uploads of a key, oldest first; none if the server does not list them. */
async function uploadsOf({ client, s3, nameOf }: Bucket, key: string, signal: AbortSignal): Promise<string[]> {
  const { Bucket, Key } = nameOf(key);
  const found: S3.MultipartUpload[] = [];
  let from: Pick<S3.ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {};
  for (;;) {
    const command = new s3.ListMultipartUploadsCommand({ Bucket, Prefix: Key, ...from });
    const page = await client.send(command, { abortSignal: signal }).catch(unlessNotOffered);
    found.push(...(page?.Uploads ?? []).filter((upload) => upload.Key === Key && upload.UploadId !== undefined));
    if (!page?.IsTruncated) break;
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
  const when = (upload: S3.MultipartUpload) => upload.Initiated?.getTime() ?? 0;
  return found.sort((one, other) => when(one) - when(other)).map((upload) => upload.UploadId!);
}

/** Returns the ETags of the uploaded parts, by number. */
async function partsThere(
  { client, s3, nameOf }: Bucket,
  key: string,
  UploadId: string,
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const etags = new Map<number, string>();
  let from: Pick<S3.ListPartsCommandInput, 'PartNumberMarker'> = {};
  for (;;) {
    const command = new s3.ListPartsCommand({ ...nameOf(key), UploadId, ...from });
    const page = await client.send(command, { abortSignal: signal }).catch(unlessNotOffered);
    for (const { PartNumber, ETag } of page?.Parts ?? [])
      if (PartNumber !== undefined && ETag !== undefined) etags.set(PartNumber, ETag);
    if (!page?.IsTruncated) return etags;
    from = { PartNumberMarker: page.NextPartNumberMarker };
  }
}

/** Listing may not be supported, or the access key may not allow it: then every upload starts over. */
function unlessNotOffered(error: unknown): undefined {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (status !== 501 && status !== 403) throw error;
  return undefined;
}

/** Works on several items at a time. After a failure, throws once the others have ended. */
async function several<Item>(
  items: readonly Item[],
  atOnce: number,
  operation: Operation,
  work: (item: Item, operation: Operation) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const talk = { ...operation, signal: AbortSignal.any([operation.signal, failed.signal]) };
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) {
      talk.signal.throwIfAborted();
      await work(item, talk);
    }
  };
  const workers = Array.from({ length: atOnce }, () =>
    worker().catch((error: unknown) => {
      if (!failed.signal.aborted) failed.abort(error);
    }),
  );
  await Promise.all(workers);
  if (failed.signal.aborted) throw failed.signal.reason;
}
