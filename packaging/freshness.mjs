// @ts-check
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The sources of a build. */
const SOURCES = ['daemon', 'gateway', 'shared', 'workers', 'packaging/build', 'package.json', 'package-lock.json'];

/** The fingerprint of the sources of a complete build. */
export const buildStamp = 'dist/.built';

/**
 * Returns whether `dist` was built from the current sources.
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
 * Returns a hash of the names, sizes and times of all source files. It reads no file, so it takes milliseconds and can run before every
 * command.
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
        // Its content follows from the lock file.
        if (name !== 'node_modules') add(`${path}/${name}`);
      }
    } else {
      hash.update(`${path} ${stats?.size} ${stats?.mtimeMs}\n`);
    }
  }
}
