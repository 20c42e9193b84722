import type { MessagePort } from 'node:worker_threads';
import { GamekeeperError, toCodedFailure } from '../../../../shared/errors/gamekeeper-error.ts';
import { MOST_PART_BYTES, type PartAnswer, type PartRequest } from '../../../pool/task-types.ts';
import type { Store, StoredObject } from '../stores/store.ts';
import type { RecentParts } from './recent-parts.ts';

export interface ServeOptions {
  store: Store;
  object: StoredObject;
  parts: RecentParts;
  signal: AbortSignal;
  bytesPerSecond: number | undefined;
}

/** Fetches the parts of a stored object that a thread asks for. */
export function serveParts(port: MessagePort, { store, object, parts, signal, bytesPerSecond }: ServeOptions): void {
  async function partOf({ start, end }: PartRequest): Promise<Uint8Array<ArrayBuffer>> {
    if (!(start >= 0 && start < end && end <= object.sizeBytes && end - start <= MOST_PART_BYTES))
      throw new GamekeeperError('backup_damaged', 'The copy ends too early.');
    const key = `${object.sha256} ${start}-${end}`;
    const known = parts.get(key);
    if (known) return new Uint8Array(known);
    const how = { signal, bytesPerSecond, onProgress: () => undefined };
    const bytes = await store.part({ key: object.key, start, end }, how);
    parts.add(key, new Uint8Array(bytes));
    return bytes;
  }

  port.on('message', (request: PartRequest) => {
    const { id } = request;
    const answer = (message: PartAnswer, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
    partOf(request).then(
      (bytes) => answer({ id, bytes }, [bytes.buffer]),
      (error: unknown) => answer({ id, failure: toCodedFailure(error) }),
    );
  });
}
