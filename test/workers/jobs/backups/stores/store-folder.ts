import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Test } from 'tap';
import { requireRoot } from '../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

/** Returns the relative paths of all files, without a folder store's marker. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== '.gamekeeper-store')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** Changes one byte in the middle of a file. */
export async function flipByte(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 12_345);
    await handle.write(Buffer.of(buffer[0]! ^ 1), 0, 1, 12_345);
  } finally {
    await handle.close();
  }
}

export interface SmallDisk {
  directory: string;
  mount(): void;
  unmount(): void;
}

/** Mounts a small disk; returns undefined if the test may not mount one. */
export function smallDisk(t: Test, mebibytes: number): SmallDisk | undefined {
  if (!requireRoot(t)) return undefined;
  const directory = path.join(temporaryFolder(t), 'disk');
  mkdirSync(directory);
  let isMounted = false;
  const disk: SmallDisk = {
    directory,
    mount() {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory]);
      isMounted = true;
    },
    unmount() {
      if (isMounted) execFileSync('umount', ['-l', directory]);
      isMounted = false;
    },
  };
  disk.mount();
  t.teardown(disk.unmount);
  return disk;
}
