import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { isGamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../../shared/node/files/atomic-file.ts';
import { requireSpace, withStorageError } from '../../../../../shared/node/files/disk-space.ts';
import { PARTIAL_SUFFIX } from '../../catalogue/archive-files.ts';
import type { StoredObject, TransferOptions } from '../store.ts';
import { missing, unavailable } from '../store-error.ts';
import { localSize, sha256Of, writeAt } from './local-file.ts';
import type { Operation } from './operation.ts';
import { paced } from './pace.ts';

/** Bytes of an object, from `start` to `end` (exclusive) or, without it, to the end of the object. */
export interface Part {
  start: number;
  end?: number;
}

/** How a protocol reads objects. Errors are the protocol's own. */
export interface RemoteReader {
  /** Returns the size in bytes; null if there is no such object. */
  stat(key: string, signal: AbortSignal): Promise<number | null>;
  /** Reads a part. The caller stops if more comes, as from a server without ranges. */
  read(key: string, part: Part, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Returns the hex SHA-256 that the store computes from its object, or undefined if it cannot. */
  sha256?(key: string, operation: Operation): Promise<string | undefined>;
}

export interface Reading {
  store: string;
  reader: RemoteReader;
  how: TransferOptions;
  operation: Operation;
}

/** Downloads to `<to>.partial`, resuming an earlier attempt, then renames it. */
export async function download({ key, to }: { key: string; to: string }, reading: Reading): Promise<void> {
  const { store, reader, how, operation } = reading;
  const sizeBytes = await reader.stat(key, operation.signal);
  if (sizeBytes === null) throw missing(store, key);
  const partial = `${to}${PARTIAL_SUFFIX}`;
  const there = await localSize(partial);
  const start = there <= sizeBytes ? there : 0;
  await requireSpace(path.dirname(to), sizeBytes - start, `The copy in the store "${store}"`);
  const handle = await open(partial, start === 0 ? 'w' : 'r+', 0o600);
  try {
    let position = start;
    if (start > 0) how.onProgress(start);
    if (start < sizeBytes)
      for await (const chunk of paced(reader.read(key, { start }, operation.signal), how, operation)) {
        await writeAt(handle, chunk, position);
        position += chunk.length;
      }
    if (position !== sizeBytes) throw unavailable(store, `sent ${position} of ${sizeBytes} bytes of ${key}.`);
    await handle.sync();
  } catch (error) {
    throw withStorageError(error, `the copy from the store "${store}"`);
  } finally {
    await handle.close();
  }
  await rename(partial, to);
  await syncDirectory(path.dirname(to));
}

/** Returns true if the store has exactly this object. A checksum that differs is only believed after reading the object back. */
export async function isStored(
  { key, sizeBytes, sha256 }: StoredObject,
  { reader, how, operation }: Reading,
): Promise<boolean> {
  if ((await reader.stat(key, operation.signal)) !== sizeBytes) return false;
  if ((await reader.sha256?.(key, operation)) === sha256) {
    how.onProgress(sizeBytes);
    return true;
  }
  try {
    return (await sha256Of(paced(reader.read(key, { start: 0 }, operation.signal), how, operation))) === sha256;
  } catch (error) {
    if (isGamekeeperError(error, 'backup_damaged')) return false;
    throw error;
  }
}

/** Returns the bytes of an object from `start` to `end` (exclusive), in memory of their own. */
export async function readPart(
  { key, start, end }: { key: string; start: number; end: number },
  { store, reader, how, operation }: Reading,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start);
  let length = 0;
  for await (const chunk of paced(reader.read(key, { start, end }, operation.signal), how, operation)) {
    const wanted = chunk.subarray(0, bytes.length - length);
    bytes.set(wanted, length);
    length += wanted.length;
    if (length === bytes.length) return bytes;
  }
  throw unavailable(store, `sent ${length} of ${bytes.length} bytes of a part of ${key}.`);
}
