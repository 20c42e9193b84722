import { megabytes } from '../../../queue/steps.ts';
import { PARTIAL_SUFFIX } from '../../catalogue/archive-files.ts';
import { checking, type Store, type TransferOptions } from '../store.ts';
import { full } from '../store-error.ts';
import { readLocal } from './local-file.ts';
import { type LocalObject, requireWhole, whyDifferent } from './local-object.ts';
import { type Operation, whileRemoteWorks } from './operation.ts';
import { createReadableStore, type Protocol } from './readable-store.ts';
import { isStored, type Reading } from './remote-reader.ts';
import { testByUse } from './test-by-use.ts';

/** Before a connection broke, the last bytes may have arrived out of order: a resumed upload goes back this far and compares. */
const REWIND_BYTES = 4 * 1024 * 1024;
const COMPARED_BYTES = 1024 * 1024;

export interface Upload {
  file: string;
  sizeBytes: number;
  /** Bytes that are already in the store; the rest is appended. */
  start: number;
  key: string;
}

/** A protocol with files, folders and renames. Errors are the protocol's own. */
export interface RemoteFiles extends Protocol {
  readonly resumes: boolean;
  /** Creates the folder of a key. Called before anything is written. */
  makeFolder(key: string, signal: AbortSignal): Promise<void>;
  /** Returns the free disk space in bytes, or undefined if the store does not tell. */
  free?(signal: AbortSignal): Promise<number | undefined>;
  /** Returns true if the store's checksum of its file is that of the local file, which is itself checked. */
  confirms?(object: LocalObject, key: string, operation: Operation): Promise<boolean | undefined>;
  upload(upload: Upload, how: TransferOptions, operation: Operation): Promise<void>;
  /** Replaces an existing target. */
  move(from: string, to: string, signal: AbortSignal): Promise<void>;
  /** Does nothing if there is no such object. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Creates a store from a file protocol: uploads to `<key>.partial`, verifies, renames. */
export function createFileStore(name: string, files: RemoteFiles, limits: { stallMs: number }): Store {
  const { runOperation, reading, ...readable } = createReadableStore(name, files, limits);
  const store: Store = {
    ...readable,
    put: (object, how) => runOperation(how.signal, (operation) => put(files, object, reading(how, operation))),
    remove: (key, signal) =>
      runOperation(signal, async (operation) => {
        await files.remove(key, operation.signal);
        await files.remove(partialOf(key), operation.signal);
      }),
    test: (signal) => testByUse(store, signal),
    close: () => files.close(),
  };
  return store;
}

async function put(files: RemoteFiles, object: LocalObject, reading: Reading): Promise<void> {
  const { store, how, operation } = reading;
  const { key, sizeBytes, file } = object;
  const { signal } = operation;
  await requireWhole(object);
  const unseen = { ...reading, how: checking(how) };
  await files.makeFolder(key, signal);
  // An earlier attempt may have completed without this process knowing.
  if (await isStored(object, unseen)) return how.onProgress(sizeBytes);

  const partial = partialOf(key);
  for (let start = await resumeAt(files, { file, partial, sizeBytes }, signal); ; start = 0) {
    await requireDiskSpace(files, { store, bytes: sizeBytes - start, signal });
    if (start > 0) how.onProgress(start);
    await files.upload({ file, sizeBytes, start, key: partial }, how, operation);
    if (await files.confirms?.(object, partial, operation)) break;
    if (await isStored({ ...object, key: partial }, unseen)) break;
    await files.remove(partial, signal);
    if (start === 0) throw await whileRemoteWorks(operation, () => whyDifferent(store, object));
    how.onProgress(-sizeBytes);
  }
  await whileRemoteWorks(operation, () => files.move(partial, key, signal));
}

/** Returns the byte to upload from: 0, or a position in what an earlier attempt uploaded, if the bytes before it are the file's. */
async function resumeAt(
  files: RemoteFiles,
  { file, partial, sizeBytes }: { file: string; partial: string; sizeBytes: number },
  signal: AbortSignal,
): Promise<number> {
  if (!files.resumes) return 0;
  const there = (await files.stat(partial, signal)) ?? 0;
  if (there > sizeBytes) return 0;
  const start = there - REWIND_BYTES;
  if (start < COMPARED_BYTES) return 0;
  const from = start - COMPARED_BYTES;
  const near = await gather(readLocal(file, { start: from, end: start }), COMPARED_BYTES);
  const far = await gather(files.read(partial, { start: from, end: start }, signal), COMPARED_BYTES);
  return near.equals(far) ? start : 0;
}

async function gather(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

async function requireDiskSpace(
  files: RemoteFiles,
  { store, bytes, signal }: { store: string; bytes: number; signal: AbortSignal },
): Promise<void> {
  const free = await files.free?.(signal);
  if (free !== undefined && free < bytes)
    throw full(store, `has ${megabytes(free)} free, but the copy needs ${megabytes(bytes)} more.`);
}

function partialOf(key: string): string {
  return `${key}${PARTIAL_SUFFIX}`;
}
