import { cp, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../shared/node/files/is-inside.ts';
import { Failure } from '../api/failure.ts';

/** Copies the files of a server. Throws a Failure for a link through which the copy would write to something else. */
export async function copyFiles(source: string, target: string): Promise<void> {
  // Else Node.js makes links absolute, and they lead from the copy into the original.
  await cp(await realpath(source), target, { recursive: true, verbatimSymlinks: true });
  const copied = await realpath(target);
  for (const entry of await readdir(copied, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const place = path.join(entry.parentPath, entry.name);
    if (await staysInside(place, copied)) continue;
    throw new Failure(
      `${path.relative(copied, place)} is a link that leads out of ${source}: the test would write there. Replace it with the files themselves, or with a relative link.`,
    );
  }
}

/** A link that leads nowhere counts as well: a server may create what it names. */
async function staysInside(link: string, root: string): Promise<boolean> {
  if (!isInside(path.resolve(path.dirname(link), await readlink(link)), root)) return false;
  const real = await realpath(link).catch(() => root);
  return isInside(real, root);
}
