import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { walk } from './walk.ts';

const run = promisify(execFile);

/**
 * Makes everything in a folder durable. On Linux with one syncfs(2), by way of coreutils' `sync -f`, since Node does not have it: one fsync
 * per file would take as long for ten thousand small files as for gigabytes.
 */
export async function syncTree(folder: string): Promise<void> {
  if (process.platform === 'linux') {
    try {
      await run('sync', ['-f', folder]);
      return;
    } catch {
      // The program or the option is missing: sync file by file.
    }
  }
  await syncEach(folder);
}

async function syncEach(folder: string): Promise<void> {
  using cursor = new TreeCursor(folder);
  // Backwards, so that each folder comes after what is in it.
  for (const { kind, name } of walk(folder, () => undefined, 'any').entries.reverse()) {
    if (kind === 'directory') await syncDirectory(cursor.enter(name));
    else if (kind === 'file') await syncFile(cursor.placeOf(name));
  }
  await syncDirectory(cursor.enter(''));
}

/** Windows can only flush files that are open for writing; elsewhere read-only files can be synced too. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(bytesOf(file), process.platform === 'win32' ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
