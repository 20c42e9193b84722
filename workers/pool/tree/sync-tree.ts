import { execFile } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';

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
  for (const item of await readdir(folder, { withFileTypes: true })) {
    const child = path.join(folder, item.name);
    if (item.isDirectory()) await syncEach(child);
    else if (item.isFile()) await syncFile(child);
  }
  await syncDirectory(folder);
}

/** Windows can only flush files that are open for writing; elsewhere read-only files can be synced too. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
