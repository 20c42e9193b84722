import { readFile } from 'node:fs/promises';

interface LockFile {
  packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }>;
}

/**
 * Returns the problems of a package-lock.json, as sentences:
 *
 * - it contains the address of a registry, which would override everyone else's;
 * - it lacks an optional package (a native part for another platform). npm leaves one out if it could not be downloaded or was not in
 *   node_modules, and then `npm ci` refuses the whole file. Choose a version whose parts can all be downloaded, or install in an empty folder.
 */
export async function lockFileFaults(file: string): Promise<string[]> {
  const { packages }: LockFile = JSON.parse(await readFile(file, 'utf8'));
  const faults: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (entry.resolved !== undefined)
      faults.push(`${file}: ${path} contains the address of a registry: ${entry.resolved}`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!canResolve(packages, path, name)) faults.push(`${file}: ${path} needs ${name}, which is missing`);
    }
  }
  return faults;
}

/** Searches like Node: in the package's own node_modules, then in the folders above. */
function canResolve(packages: LockFile['packages'], from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (`${folder && `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}
