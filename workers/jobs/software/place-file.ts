import { constants, copyFile, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import type { Steps } from '../queue/steps.ts';
import { type Digest, hexOf } from '../vendors/digest.ts';
import { type FetchedFile, nameOf } from '../vendors/download-cache.ts';

/**
 * Puts a program into a server's folder. An existing file of the same name is kept under another one, unless it came from Gamekeeper (it is
 * in the cache, or is what `before` says was installed). Returns whether anything changed.
 */
export async function* placeFile(
  { file, digest }: FetchedFile,
  { directory, name, before }: { directory: string; name: string; before: Digest | undefined },
): Steps<boolean> {
  const target = path.join(directory, name);
  const present = await hexOf(target, digest.algorithm);
  if (present === digest.hex) return false;
  if (present !== undefined && !(await isOurs(target, [{ ...digest, hex: present }, before], path.dirname(file)))) {
    const kept = await freeName(`${target}.replaced`);
    await rename(target, kept);
    yield { progress: `Kept the existing ${name} as ${path.basename(kept)}.` };
  }
  const partial = `${target}.partial`;
  await mkdir(path.dirname(target), { recursive: true });
  // Never writes through an existing entry, which may be a link that leaves the folder (CVE-2023-25152).
  await removeTree(partial);
  try {
    // Copied, since the server may change the file, and sharing blocks on disk if the file system can.
    await copyFile(file, partial, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  await syncDirectory(path.dirname(target));
  return true;
}

/** Files kept by earlier installations stay. */
async function freeName(wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const isFree = await lstat(name).then(
      () => false,
      () => true, // not there
    );
    if (isFree) return name;
  }
}

async function isOurs(target: string, digests: (Digest | undefined)[], cache: string): Promise<boolean> {
  for (const digest of digests) {
    if (!digest || (await hexOf(target, digest.algorithm)) !== digest.hex) continue;
    const cached = await stat(path.join(cache, nameOf(digest))).catch(() => undefined); // not there
    if (cached || digest === digests[1]) return true;
  }
  return false;
}
