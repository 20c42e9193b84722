import { readFile } from 'node:fs/promises';

interface LockFile {
  packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }>;
}

/**
 * What is wrong with a package-lock.json, as sentences:
 *
 * - an address of a registry in it, which would keep everybody else's npm from using its own;
 * - an optional package (a native part for another platform) left out, which npm does when it could not be fetched or was
 *   not in node_modules; `npm ci` then refuses the whole file. Choose a version whose parts all can be fetched, or install
 *   from an empty folder.
 */
export async function lockFileFaults(file: string): Promise<string[]> {
  const { packages }: LockFile = JSON.parse(await readFile(file, 'utf8'));
  const faults: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (entry.resolved !== undefined)
      faults.push(`${file}: ${path} holds the address of a registry: ${entry.resolved}`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!canResolve(packages, path, name)) faults.push(`${file}: ${path} needs ${name}, which is missing`);
    }
  }
  return faults;
}

/** Looks where Node would: in the package's own node_modules, then in those of the folders above. */
function canResolve(packages: LockFile['packages'], from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (`${folder && `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}
