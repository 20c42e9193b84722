import { megabytes } from '../../../queue/steps.ts';
import { PARTIAL_SUFFIX } from '../../catalogue/archive-files.ts';
import { checking, type Store, type TransferOptions } from '../store.ts';
import { full } from '../store-error.ts';
import { type Conversation, patiently } from './conversation.ts';
import { isStored, type Reading } from './far-reader.ts';
import { readLocal } from './local-file.ts';
import { type LocalObject, requireWhole, whyDifferent } from './local-object.ts';
import { type Protocol, readableStore } from './readable-store.ts';
import { testByUse } from './test-by-use.ts';

/**
 * Behind the end of what a cut connection has left there, what was under way may have arrived in part or in another order. The end
 * of what is kept is compared.
 */
const REWIND_BYTES = 4 * 1024 * 1024;
const COMPARED_BYTES = 1024 * 1024;

export interface Upload {
  file: string;
  sizeBytes: number;
  /** Append from here: so many bytes are there already. */
  start: number;
  /** Where to. Its folder exists. */
  key: string;
}

/** A protocol that knows files, folders and renaming. Errors are the protocol's own. */
export interface FarFiles extends Protocol {
  /** Whether `upload` can append. */
  readonly resumes: boolean;
  /** Called before anything is written: everything that the folder of a key needs. */
  makeFolder(key: string, signal: AbortSignal): Promise<void>;
  /** Bytes that are free there; undefined: it does not say. */
  free?(signal: AbortSignal): Promise<number | undefined>;
  /** True when a checksum that the far end has of what lies under `key` is the local file's, and that is what it should be. */
  confirms?(object: LocalObject, key: string, conversation: Conversation): Promise<boolean | undefined>;
  upload(upload: Upload, how: TransferOptions, conversation: Conversation): Promise<void>;
  /** Replaces what is there. */
  move(from: string, to: string, signal: AbortSignal): Promise<void>;
  /** None there is fine. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A store on top of files: uploads to `<key>.partial`, looks whether it arrived, and renames. */
export function fileStore(name: string, files: FarFiles, limits: { stallMs: number }): Store {
  const { converse, reading, ...readable } = readableStore(name, files, limits);
  const store: Store = {
    ...readable,
    put: (object, how) => converse(how.signal, (conversation) => put(files, object, reading(how, conversation))),
    remove: (key, signal) =>
      converse(signal, async (conversation) => {
        await files.remove(key, conversation.signal);
        await files.remove(partialOf(key), conversation.signal);
      }),
    test: (signal) => testByUse(store, signal),
    close: () => files.close(),
  };
  return store;
}

async function put(files: FarFiles, object: LocalObject, reading: Reading): Promise<void> {
  const { store, how, conversation } = reading;
  const { key, sizeBytes, file } = object;
  const { signal } = conversation;
  await requireWhole(object);
  const unseen = { ...reading, how: checking(how) };
  await files.makeFolder(key, signal);
  // An earlier attempt may have come to its end without anybody being told.
  if (await isStored(object, unseen)) return how.onProgress(sizeBytes);

  const partial = partialOf(key);
  for (let start = await resumeAt(files, { file, partial, sizeBytes }, signal); ; start = 0) {
    await requireDiskSpace(files, { store, bytes: sizeBytes - start, signal });
    if (start > 0) how.onProgress(start);
    await files.upload({ file, sizeBytes, start, key: partial }, how, conversation);
    if (await files.confirms?.(object, partial, conversation)) break;
    if (await isStored({ ...object, key: partial }, unseen)) break;
    await files.remove(partial, signal);
    if (start === 0) throw await patiently(conversation, () => whyDifferent(store, object));
    how.onProgress(-sizeBytes);
  }
  await patiently(conversation, () => files.move(partial, key, signal));
}

/** The byte from which on to upload: 0, or a part of what an earlier attempt left there, where its end is the file's. */
async function resumeAt(
  files: FarFiles,
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
  const far = await gather(files.read(partial, from, signal), COMPARED_BYTES);
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
  files: FarFiles,
  { store, bytes, signal }: { store: string; bytes: number; signal: AbortSignal },
): Promise<void> {
  const free = await files.free?.(signal);
  if (free !== undefined && free < bytes)
    throw full(store, `has ${megabytes(free)} free, but the copy needs ${megabytes(bytes)} more.`);
}

function partialOf(key: string): string {
  return `${key}${PARTIAL_SUFFIX}`;
}
