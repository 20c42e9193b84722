import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Store } from '../store.ts';
import { notKept, unavailable } from '../store-error.ts';

const SAMPLE_BYTES = 4096;

/** Tests a store as `Store.test` promises. */
export async function testByUse(store: Store, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gamekeeper-store-'));
  try {
    const sample = randomBytes(SAMPLE_BYTES);
    const file = path.join(folder, 'sent');
    await writeFile(file, sample);
    const key = `gamekeeper-test-${randomBytes(8).toString('hex')}.zip`;
    const object = { key, sizeBytes: sample.length, sha256: createHash('sha256').update(sample).digest('hex') };
    const how = { signal, onProgress: () => undefined };
    await store.put({ ...object, file }, how);
    if (!(await store.verify(object, how))) throw notKept(store.name);
    await store.remove(key, signal);
    if ((await store.stat(key, signal)) !== null)
      throw unavailable(store.name, 'still has an object that was removed.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
