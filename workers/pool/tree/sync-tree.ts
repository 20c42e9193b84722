import { execFile } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';

const run = promisify(execFile);

/**
 * Makes everything in a folder durable. On Linux by one syncfs(2), which Node has not but coreutils' `sync -f` does; one fsync per file
 * would make ten thousand small files take as long as gigabytes.
 */
export async function syncTree(folder: string): Promise<void> {
  if (process.platform === 'linux') {
    try {
      await run('sync', ['-f', folder]);
      return;
    } catch {
      // No such program or option here: file by file then.
    }
  }
  await syncEach(folder);
}

async function syncEach(folder: string): Promise<void> {
  for (const item of await readdir(folder, { withFileTypes: true })) {
    const child = path.join(folder, item.name);
    if (item.isDirectory()) await syncEach(child);
    else if (item.isFile()) await syncFile(child);
  }
  await syncDirectory(folder);
}

/** Windows flushes only what is open for writing; elsewhere a file that may not be written to can be synced as well. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
