// @ts-check
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a build is made of. */
const SOURCES = ['daemon', 'gateway', 'shared', 'workers', 'packaging/build.ts', 'package.json', 'package-lock.json'];

/** Where a finished build keeps the fingerprint of its sources. */
export const buildStamp = 'dist/.built';

/**
 * Whether `dist` was built from the sources as they are now.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
export function isBuilt(root) {
  try {
    return readFileSync(join(root, buildStamp), 'utf8') === fingerprint(root);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Names, sizes and times of every source file, as one short text. It reads no file, so that it costs milliseconds and can
 * be asked before every command.
 *
 * @param {string} root the checkout
 * @returns {string}
 */
export function fingerprint(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES) add(source);
  return hash.digest('hex');

  /** @param {string} path relative to the root */
  function add(path) {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) {
        // What is installed follows from the lock file beside it.
        if (name !== 'node_modules') add(`${path}/${name}`);
      }
    } else {
      hash.update(`${path} ${stats?.size} ${stats?.mtimeMs}\n`);
    }
  }
}
