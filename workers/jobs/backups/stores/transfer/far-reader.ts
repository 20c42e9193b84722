import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../../shared/node/files/atomic-file.ts';
import { requireSpace, withStorageError } from '../../../../../shared/node/files/disk-space.ts';
import { PARTIAL_SUFFIX } from '../../catalogue/archive-files.ts';
import type { StoredObject, TransferOptions } from '../store.ts';
import { missing, unavailable } from '../store-error.ts';
import type { Conversation } from './conversation.ts';
import { localSize, sha256Of, writeAt } from './local-file.ts';
import { paced } from './pace.ts';

/** What every protocol can do with an object that lies there. Errors are the protocol's own. */
export interface FarReader {
  /** Size in bytes; null: there is none. */
  stat(key: string, signal: AbortSignal): Promise<number | null>;
  /** From a byte on to the end. */
  read(key: string, start: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Hex SHA-256 that the far end works out from what lies there; undefined: it cannot, or does not want to. */
  sha256?(key: string, conversation: Conversation): Promise<string | undefined>;
}

export interface Reading {
  store: string;
  reader: FarReader;
  how: TransferOptions;
  conversation: Conversation;
}

/** Into `<to>.partial`, from where an earlier attempt was cut off, and then to its name. */
export async function download({ key, to }: { key: string; to: string }, reading: Reading): Promise<void> {
  const { store, reader, how, conversation } = reading;
  const sizeBytes = await reader.stat(key, conversation.signal);
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
      for await (const chunk of paced(reader.read(key, start, conversation.signal), how, conversation)) {
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

/** Whether what lies under `key` is the object. A checksum that differs is not believed before all has been read. */
export async function isStored(
  { key, sizeBytes, sha256 }: StoredObject,
  { reader, how, conversation }: Reading,
): Promise<boolean> {
  if ((await reader.stat(key, conversation.signal)) !== sizeBytes) return false;
  if ((await reader.sha256?.(key, conversation)) === sha256) {
    how.onProgress(sizeBytes);
    return true;
  }
  try {
    return (await sha256Of(paced(reader.read(key, 0, conversation.signal), how, conversation))) === sha256;
  } catch (error) {
    if (error instanceof GamekeeperError && error.code === 'backup_damaged') return false;
    throw error;
  }
}
