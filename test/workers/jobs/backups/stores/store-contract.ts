import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Test } from 'tap';
import type { Store, TransferOptions } from '../../../../../workers/jobs/backups/stores/store.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { sampleObject } from './sample-object.ts';

const MiB = 1024 * 1024;
const SIZE = 12 * MiB;

export interface StoreUnderTest {
  open(): Promise<Store>;
  /** Changes the content of an object in the store, but not its size. */
  damage(key: string): Promise<void>;
  /** Returns all keys, including partial uploads. */
  list(): Promise<string[]>;
  /** True if an interrupted upload resumes. */
  resumes: boolean;
}

/** Options for a transfer without limit that counts its bytes. */
export function transfer(options: Partial<TransferOptions> = {}) {
  const how = {
    signal: new AbortController().signal,
    bytes: 0,
    /** The largest increment: bytes from an earlier attempt count at once. */
    leap: 0,
    onProgress(bytes: number) {
      how.leap = Math.max(how.leap, bytes);
      how.bytes += bytes;
      options.onProgress?.(bytes);
    },
  };
  return Object.assign(how, { ...options, onProgress: how.onProgress });
}

interface Context extends StoreUnderTest {
  /** Never fires: the time limit of the file ends what hangs. */
  signal: AbortSignal;
}

/** Tests that every store must pass, whatever its protocol. */
export function checkStore(t: Test, { open, damage, list, resumes }: StoreUnderTest): void {
  const { signal } = new AbortController();
  const context = { signal, open, damage, list, resumes };

  t.test('an uploaded object can be listed, fetched, verified and removed', (t) => objectLifeCycle(t, context));

  t.test('a cancelled upload leaves nothing visible, and the next one finishes it', (t) => cancelledUpload(t, context));

  t.test('a cancelled download resumes', (t) => cancelledDownload(t, context));

  t.test('a bandwidth limit holds in both directions', (t) => bandwidthLimit(t, context));

  t.test('a damaged archive is not copied', (t) => damagedArchive(t, context));

  t.test('the store test leaves nothing behind', (t) => storeTest(t, context));
}

async function objectLifeCycle(t: Test, { signal, open, damage, list }: Context): Promise<void> {
  const folder = temporaryFolder(t);
  const object = await sampleObject(folder, SIZE);
  const store = await open();
  t.teardown(() => store.close());
  t.equal(await store.stat(object.key, signal), null);
  await t.rejects(store.get(object.key, path.join(folder, 'none'), transfer()), { code: 'backup_damaged' });

  const putting = transfer();
  await store.put(object, putting);
  t.equal(putting.bytes, SIZE, 'all bytes were counted');
  t.same(await store.stat(object.key, signal), { sizeBytes: SIZE });
  t.same(await list(), [object.key], 'no other object exists');

  const getting = transfer();
  const to = path.join(folder, 'fetched.zip');
  await store.get(object.key, to, getting);
  t.ok(object.content.equals(await readFile(to)), 'identical bytes');
  t.equal(getting.bytes, SIZE);

  for (const [start, end] of [
    [0, 1],
    [0, SIZE],
    [70_000, 3 * MiB + 5],
    [SIZE - 1, SIZE],
  ] as const) {
    const reading = transfer();
    const part = await store.part({ key: object.key, start, end }, reading);
    t.ok(object.content.subarray(start, end).equals(part), `the bytes from ${start} to ${end}`);
    t.ok(reading.bytes < end - start + MiB, `${reading.bytes} bytes were transferred`);
  }
  await t.rejects(store.part({ key: object.key, start: SIZE - 5, end: SIZE + 5 }, transfer()), 'beyond its end');

  t.equal(await store.verify(object, transfer()), true);
  t.equal(await store.verify({ ...object, sizeBytes: SIZE - 1 }, transfer()), false, 'another size');
  await damage(object.key);
  t.equal(await store.verify(object, transfer()), false, 'a changed byte is detected');
  await store.put(object, transfer());
  t.equal(await store.verify(object, transfer()), true, 'another upload repairs it');
  const again = transfer();
  await store.put(object, again);
  t.equal(again.bytes, SIZE, 'existing bytes count as done');

  await store.remove(object.key, signal);
  t.equal(await store.stat(object.key, signal), null);
  t.equal(await store.verify(object, transfer()), false, 'a missing object does not verify');
  await store.remove(object.key, signal);
  t.same(await list(), []);
}

async function cancelledUpload(t: Test, { signal, open, list, resumes }: Context): Promise<void> {
  const folder = temporaryFolder(t);
  const object = await sampleObject(folder, SIZE, 'survival/20261120T091500Z-4f9c2a.zip');
  const store = await open();
  t.teardown(() => store.close());
  const cancel = new AbortController();
  const reason = new Error('cancelled by somebody');
  const half = transfer({ signal: cancel.signal, bytesPerSecond: 20 * MiB });
  half.onProgress = (bytes) => {
    half.bytes += bytes;
    if (half.bytes > 0.8 * SIZE) cancel.abort(reason);
  };
  await t.rejects(store.put(object, half), reason);
  t.equal(await store.stat(object.key, signal), null);

  const rest = transfer();
  await store.put(object, rest);
  t.equal(rest.bytes, SIZE);
  if (resumes) t.ok(rest.leap > 0.3 * SIZE, `resumed at ${rest.leap}`);
  t.equal(await store.verify(object, transfer()), true);
  t.same(await list(), [object.key], 'no leftovers of the first attempt');
  await store.remove(object.key, signal);
}

async function cancelledDownload(t: Test, { signal, open }: Context): Promise<void> {
  const folder = temporaryFolder(t);
  const object = await sampleObject(folder, SIZE, 'survival/20261120T101500Z-4f9c2a.zip');
  const store = await open();
  t.teardown(() => store.close());
  await store.put(object, transfer());
  const to = path.join(folder, 'fetched.zip');
  const cancel = new AbortController();
  const half = transfer({ signal: cancel.signal, bytesPerSecond: 20 * MiB });
  half.onProgress = (bytes) => {
    half.bytes += bytes;
    if (half.bytes > SIZE / 2) cancel.abort(new Error('cancelled'));
  };
  await t.rejects(store.get(object.key, to, half), { message: 'cancelled' });
  await t.rejects(readFile(to), { code: 'ENOENT' }, 'no partial file under its name');
  const rest = transfer();
  await store.get(object.key, to, rest);
  t.ok(rest.leap > 0.3 * SIZE, `resumed at ${rest.leap}`);
  t.equal(rest.bytes, SIZE);
  t.ok(object.content.equals(await readFile(to)));
  await store.remove(object.key, signal);
}

async function bandwidthLimit(t: Test, { signal, open }: Context): Promise<void> {
  const folder = temporaryFolder(t);
  const object = await sampleObject(folder, 4 * MiB, 'survival/20261120T111500Z-4f9c2a.zip');
  const store = await open();
  t.teardown(() => store.close());
  for (const move of [
    () => store.put(object, transfer({ bytesPerSecond: 8 * MiB })),
    () => store.get(object.key, path.join(folder, 'slow.zip'), transfer({ bytesPerSecond: 8 * MiB })),
  ]) {
    const began = performance.now();
    await move();
    t.ok(performance.now() - began > 350, 'the limit is kept: half a second for this many bytes');
  }
  await store.remove(object.key, signal);
}

async function damagedArchive(t: Test, { signal, open, list }: Context): Promise<void> {
  const folder = temporaryFolder(t);
  const object = await sampleObject(folder, MiB, 'survival/20261120T121500Z-4f9c2a.zip');
  const store = await open();
  t.teardown(() => store.close());
  const wrong = { ...object, sha256: 'a'.repeat(64) };
  await t.rejects(store.put(wrong, transfer()), { code: 'backup_damaged', message: /damaged; it was not copied/ });
  t.equal(await store.stat(object.key, signal), null);
  await t.rejects(store.put({ ...object, file: path.join(folder, 'gone') }, transfer()), { code: 'backup_damaged' });
  t.same(await list(), []);
}

async function storeTest(t: Test, { signal, open, list }: Context): Promise<void> {
  const store = await open();
  t.teardown(() => store.close());
  await store.test(signal);
  t.same(await list(), []);
}
