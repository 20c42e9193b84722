import type { S3Client } from '@aws-sdk/client-s3';
import type { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { S3StoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import { lastOf } from '../byte-range.ts';
import { checking, type Store, type StorePlace } from '../store.ts';
import { connectionTrouble, full, notKept, refused, unavailable } from '../store-error.ts';
import { damagedHere, type LocalObject, requireWhole } from '../transfer/local-object.ts';
import { createReadableStore, type Protocol } from '../transfer/readable-store.ts';
import { isStored, type Reading } from '../transfer/remote-reader.ts';
import { testByUse } from '../transfer/test-by-use.ts';
import { bindBodies } from './s3-body.ts';
import { checksumsOf } from './s3-etag.ts';
import { abortUploads, type Bucket, upload } from './s3-upload.ts';

/** Milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000;

const ignored = () => undefined;
const SILENT = { debug: ignored, info: ignored, warn: ignored, error: ignored };

/** A bucket of Amazon S3 or the like. Partial uploads stay, invisible, to be resumed; an object appears when it is complete. */
export async function createS3Store(settings: S3StoreSettings, place: StorePlace): Promise<Store> {
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
    async *read(key, { start, end }, signal) {
      const command = new s3.GetObjectCommand({ ...bucket.nameOf(key), Range: `bytes=${start}-${lastOf(end)}` });
      const { Body } = await client.send(command, { abortSignal: signal });
      yield* Body as AsyncIterable<Uint8Array>;
    },
  };

  /** Compares the checksum that the server computed from the parts; if that fails, reads everything back. */
  async function isWhole(object: LocalObject, etag: string, reading: Reading): Promise<boolean> {
    const found = await head(object.key, reading.operation.signal);
    if (found?.sizeBytes !== object.sizeBytes) return false;
    return found.etag === etag || isStored(object, reading);
  }

  const { runOperation, reading, ...readable } = createReadableStore(name, protocol, place);
  const store: Store = {
    ...readable,
    put: (object, how) =>
      runOperation(how.signal, async (operation) => {
        await requireWhole(object);
        const { sha256, etag } = await checksumsOf(object, operation);
        if (sha256 !== object.sha256) throw damagedHere('is damaged');
        const unseen = reading(checking(how), operation);
        if (await isWhole(object, etag, unseen)) return how.onProgress(object.sizeBytes);
        await upload(bucket, object, how, operation);
        if (await isWhole(object, etag, unseen)) return;
        await removeObject(object.key, operation.signal);
        throw notKept(name);
      }),
    remove: (key, signal) =>
      runOperation(signal, async (operation) => {
        await abortUploads(bucket, key, operation.signal);
        await removeObject(key, operation.signal);
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
    // Not every vendor knows the newer checksums. The SHA-256 in the signature and the MD5 protect what is sent.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some vendors never send "100 Continue", and each part would wait for it.
    expectContinueHeader: false,
    // The default logger writes to the console.
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS },
  });
  bindBodies(client);
  return client;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Returns the error code that the server sent. Anything else that it sent in its place stays out of messages and logs. */
function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return /^\w{1,64}$/.test(name) ? name : 'an unknown error';
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
    return refused(store, 'does not allow this access key to do that.', {
      resolution: 'Allow it to list the bucket and to read, write and delete objects in it.',
      cause,
    });
  if (status === undefined) {
    if (/Deserialization error/.test(cause instanceof Error ? cause.message : ''))
      return refused(store, 'responds, but not like S3: check its endpoint.', { cause });
    return unavailable(store, connectionTrouble(cause) ?? 'closed the connection.', { cause });
  }
  return unavailable(store, `returned ${name} (status ${status}).`, { cause });
}
