import { constants, copyFile, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import type { Steps } from '../queue/steps.ts';
import { type Digest, hexOf } from '../vendors/digest.ts';
import { type FetchedFile, nameOf } from '../vendors/download-cache.ts';

/**
 * Puts a program into a server's folder. One of the same name that did not come from us (it is not in the cache, and not what `before`
 * says we put there) is kept beside it. Gives whether anything changed.
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
    yield { progress: `Kept the ${name} that was there as ${path.basename(kept)}.` };
  }
  const partial = `${target}.partial`;
  await mkdir(path.dirname(target), { recursive: true });
  // Whatever has this name, a link out of the folder perhaps, is not written through (CVE-2023-25152).
  await removeTree(partial);
  try {
    // A copy, so that whatever becomes of it here, the cache stays good; shared on disk where the file system can.
    await copyFile(file, partial, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  await syncDirectory(path.dirname(target));
  return true;
}

/** What an earlier installation has kept stays. */
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
