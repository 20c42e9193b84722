import { readdirSync, statfsSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { FileHandle } from '../../../../workers/files/handles/file-handle.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const MIB = 1024 * 1024;

async function newFile(t: Test, root: string, name = 'file'): Promise<FileHandle> {
  const handle = new FileHandle({ root, path: name, mustBeNew: true, mayWrite: true });
  await handle.begin();
  t.teardown(() => handle.discard());
  return handle;
}

function freeBytes(root: string): number {
  const { bavail, bsize } = statfsSync(root);
  return bavail * bsize;
}

t.test('a file cannot be made longer than what the disk can hold', async (t) => {
  const root = temporaryFolder(t);
  const free = freeBytes(root);
  const handle = await newFile(t, root);
  await t.rejects(handle.set({ sizeBytes: free }), { code: 'insufficient_storage' });
  await t.rejects(handle.write({ offset: free, bytes: Buffer.of(1) }), { code: 'insufficient_storage' });
  t.equal(handle.attributes().sizeBytes, 0);
  await handle.set({ sizeBytes: 10 * MIB });
  await handle.write({ offset: 20 * MIB, bytes: Buffer.of(1) });
  await handle.set({ sizeBytes: MIB });
  await handle.commit(async () => undefined);
  t.same(readdirSync(root).includes('file'), true, 'smaller ones can');
});

t.test('files that are written at once leave the game its space together', async (t) => {
  const disk = path.join(temporaryFolder(t), 'disk');
  if (!mounted(t, disk, '-t', 'tmpfs', '-o', 'size=300m', 'tmpfs')) return;
  const handles = await Promise.all(Array.from({ length: 5 }, (_, number) => newFile(t, disk, `${number}`)));
  const filled = handles.map(async (handle) => {
    for (let offset = 0; offset < 30 * MIB; offset += MIB) await handle.write({ offset, bytes: Buffer.alloc(MIB) });
  });
  const outcomes = await Promise.allSettled(filled);
  t.ok(outcomes.some(({ status }) => status === 'rejected'));
  t.ok(freeBytes(disk) >= 256 * MIB, `${freeBytes(disk) / MIB} MiB are left`);
});
