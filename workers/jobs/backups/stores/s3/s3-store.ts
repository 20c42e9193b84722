import type { S3Client } from '@aws-sdk/client-s3';
import type { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { S3StoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import { checking, type Store, type StorePlace } from '../store.ts';
import { connectionTrouble, full, notKept, refused, unavailable } from '../store-error.ts';
import { isStored, type Reading } from '../transfer/far-reader.ts';
import { damagedHere, type LocalObject, requireWhole } from '../transfer/local-object.ts';
import { type Protocol, readableStore } from '../transfer/readable-store.ts';
import { testByUse } from '../transfer/test-by-use.ts';
import { bindBodies } from './s3-body.ts';
import { checksumsOf } from './s3-etag.ts';
import { abortUploads, type Bucket, upload } from './s3-upload.ts';

/** Until a connection stands. Milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000;

const ignored = () => undefined;
const SILENT = { debug: ignored, info: ignored, warn: ignored, error: ignored };

/**
 * A bucket of Amazon S3 or of another vendor who speaks its protocol. What was uploaded in part is kept there, invisible, and gone on
 * with; an object appears when all its parts have been confirmed.
 */
export async function openS3(settings: S3StoreSettings, place: StorePlace): Promise<Store> {
  const { name, bucket: Bucket, prefix } = settings;
  const s3 = await import('@aws-sdk/client-s3');
  const client = createClient(s3.S3Client, settings);
  const bucket: Bucket = {
    client,
    s3,
    nameOf: (key) => ({ Bucket, Key: prefix === undefined ? key : `${prefix}/${key}` }),
  };

  const head = async (key: string, signal: AbortSignal) => {
    try {
      const { ContentLength = 0, ETag } = await client.send(new s3.HeadObjectCommand(bucket.nameOf(key)), {
        abortSignal: signal,
      });
      return { sizeBytes: ContentLength, etag: ETag };
    } catch (error) {
      if (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket') return null;
      throw error;
    }
  };
  const removeObject = (key: string, signal: AbortSignal) =>
    client.send(new s3.DeleteObjectCommand(bucket.nameOf(key)), { abortSignal: signal });

  const protocol: Protocol = {
    explain: (error) => explain(name, error),
    stat: async (key, signal) => (await head(key, signal))?.sizeBytes ?? null,
    async *read(key, start, signal) {
      const command = new s3.GetObjectCommand({ ...bucket.nameOf(key), Range: `bytes=${start}-` });
      const { Body } = await client.send(command, { abortSignal: signal });
      yield* Body as AsyncIterable<Uint8Array>;
    },
  };

  /** By the checksums of its parts, which the far end has worked out from what arrived; else everything is read back. */
  async function isWhole(object: LocalObject, etag: string, reading: Reading): Promise<boolean> {
    const found = await head(object.key, reading.conversation.signal);
    if (found?.sizeBytes !== object.sizeBytes) return false;
    return found.etag === etag || isStored(object, reading);
  }

  const { converse, reading, ...readable } = readableStore(name, protocol, place);
  const store: Store = {
    ...readable,
    put: (object, how) =>
      converse(how.signal, async (conversation) => {
        await requireWhole(object);
        const { sha256, etag } = await checksumsOf(object, conversation);
        if (sha256 !== object.sha256) throw damagedHere('is damaged');
        const unseen = reading(checking(how), conversation);
        if (await isWhole(object, etag, unseen)) return how.onProgress(object.sizeBytes);
        await upload(bucket, object, how, conversation);
        if (await isWhole(object, etag, unseen)) return;
        await removeObject(object.key, conversation.signal);
        throw notKept(name);
      }),
    remove: (key, signal) =>
      converse(signal, async (conversation) => {
        await abortUploads(bucket, key, conversation.signal);
        await removeObject(key, conversation.signal);
      }),
    test: (signal) => testByUse(store, signal),
    close: async () => client.destroy(),
  };
  return store;
}

function createClient(Client: typeof S3Client, settings: S3StoreSettings): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, pathStyle = endpoint !== undefined } = settings;
  const client = new Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Not every vendor knows the newer checksums. What is sent is bound to the signature by its SHA-256, and its MD5 goes along.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some vendors never say "continue", and each part would wait for it.
    expectContinueHeader: false,
    // It would write to the console.
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS },
  });
  bindBodies(client);
  return client;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

const CREDENTIALS = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidSecurity', 'ExpiredToken', 'InvalidToken'];

function explain(store: string, cause: unknown): GamekeeperError {
  const [status, name] = [statusOf(cause), nameOf(cause)];
  if (CREDENTIALS.includes(name)) return refused(store, 'did not accept the access key.', { cause });
  if (name === 'NoSuchBucket') return refused(store, 'has no bucket of this name.', { cause });
  if (name === 'RequestTimeTooSkewed')
    return refused(store, "says that this machine's clock is wrong.", { resolution: 'Set the clock.', cause });
  if (status === 301 || name === 'AuthorizationHeaderMalformed' || name === 'PermanentRedirect')
    return refused(store, 'has this bucket in another region: check region and endpoint.', { cause });
  if (status === 507 || /StorageFull|QuotaExceeded/.test(name)) return full(store, 'is full.', cause);
  if (status === 401 || status === 403)
    return refused(store, 'does not let this access key do that.', {
      resolution: 'Allow it to list the bucket and to read, write and delete objects in it.',
      cause,
    });
  if (status === undefined) {
    if (/Deserialization error/.test(cause instanceof Error ? cause.message : ''))
      return refused(store, 'answers, but not as S3 does: check its endpoint.', { cause });
    return unavailable(store, connectionTrouble(cause) ?? 'broke off the connection.', { cause });
  }
  return unavailable(store, `answered ${name} (status ${status}).`, { cause });
}
