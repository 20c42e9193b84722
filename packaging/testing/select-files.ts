import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders whose files run whole systems for up to two minutes. They start first, so that none is still running alone at the end. */
const SLOW_FOLDERS = ['test/integration/', 'test/browser/', 'test/real/', 'test/security/'];

const BROWSER = 'test/browser/';

/** A test that imports one of these runs other programs, a thread pool or a browser. */
const NOT_QUICK = ['node-pty', 'piscina', 'playwright-core'];

/** Returns the test files in a folder, sorted; a path that holds none (a file) is returned as it is. */
export function testFilesIn(root: string, path: string): string[] {
  const exclude = (name: string) => name.endsWith('node_modules') || name.endsWith('fixtures');
  const inside = globSync(`${path.replace(/\/$/, '')}/**/*.test.ts`, { cwd: root, exclude }).sort();
  return inside.length > 0 ? inside : [path];
}

/** Orders files so that those that take long start first. */
export function slowestFirst(files: string[]): string[] {
  const rank = (file: string) => {
    const index = SLOW_FOLDERS.findIndex((folder) => file.startsWith(folder));
    return index < 0 ? SLOW_FOLDERS.length : index;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Returns the files that run no other program: neither the test itself nor its support files import `node:child_process`, and nothing
 * that they import, however indirectly, loads one of the packages that start processes, threads or browsers.
 */
export function quickFiles(root: string, files: string[]): string[] {
  const importsOf = importReader(root);
  return files.filter((file) => {
    if (SLOW_FOLDERS.some((folder) => file.startsWith(folder))) return false;
    for (const [importer, imported] of everyImport(file, importsOf)) {
      if (NOT_QUICK.includes(imported)) return false;
      if (imported === 'node:child_process' && importer.startsWith('test/')) return false;
    }
    return true;
  });
}

/** Every import of a file and of the files that it imports, with the file that imports it. */
function* everyImport(entry: string, importsOf: (file: string) => string[]): Generator<[string, string]> {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const imported of importsOf(file)) {
      if (imported.startsWith('.')) seen.add(join(dirname(file), imported));
      else yield [file, imported];
    }
  }
}

/** Reads each file once. Imports of types alone load nothing and do not count. */
function importReader(root: string): (file: string) => string[] {
  const known = new Map<string, string[]>();
  return (file) => {
    const before = known.get(file);
    if (before) return before;
    const path = join(root, file);
    const source = /\.m?[jt]s$/.test(file) && existsSync(path) ? readFileSync(path, 'utf8') : '';
    const found = [...source.matchAll(IMPORT)].map(([, from, dynamic]) => from ?? dynamic ?? '');
    known.set(file, found);
    return found;
  };
}

const IMPORT = /^(?:import|export) (?!type )[^;]*?['"]([^'"]+)['"];|\bimport\(['"]([^'"]+)['"]\)/gm;

/**
 * Removes and returns the file to run next: the first one, but a browser is started as soon as none runs, and none beside another while there
 * is other work. Each keeps two cores busy, and two of them make each other late.
 */
export function takeNext(waiting: string[], running: ReadonlySet<string>): string | undefined {
  const hasBrowser = [...running].some((file) => file.startsWith(BROWSER));
  const index = waiting.findIndex((file) => file.startsWith(BROWSER) !== hasBrowser);
  return waiting.splice(Math.max(0, index), 1)[0];
}
