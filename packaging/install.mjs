// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { runProgram } from './run-program.mjs';

/**
 * Returns whether `folder/node_modules` matches `folder/package-lock.json`: by the stamp of `install`, or because npm was run by hand after the
 * lock file was last written.
 *
 * @param {string} folder
 * @returns {boolean}
 */
export function isInstalled(folder) {
  const stamp = readOr(stampPath(folder), '');
  if (stamp) return stamp === lockHash(folder);
  return modifiedAt(join(folder, 'node_modules', '.package-lock.json')) > modifiedAt(join(folder, 'package-lock.json'));
}

/**
 * Installs the packages of `folder/package-lock.json`. npm's output goes to stderr.
 *
 * @param {string} folder
 * @returns {Promise<void>}
 * @throws {Error} with what to do if npm fails
 */
export async function install(folder) {
  const hash = lockHash(folder);
  // --include=dev: the build needs these packages even if NODE_ENV is production. --loglevel=error hides warnings about packages that need a
  // newer Node than npm runs on, because they will run on Node 24.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await runNpm(args, folder);
  if (code !== 0) {
    throw new Error(
      `"npm ${args.join(' ')}" in ${folder} exited with status ${code}; see its messages above. ` +
        "Most often the npm registry is not reachable. Check the connection or npm's proxy settings, then try again.",
    );
  }
  writeFileSync(stampPath(folder), hash);
}

/** @param {string} folder */
const stampPath = (folder) => join(folder, 'node_modules', '.gamekeeper-installed');

/** @param {string} folder */
function lockHash(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function runNpm(args, cwd) {
  // npm removes node_modules first, including a Node that `npm start` may have put first on the PATH.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.split(sep).includes('node_modules'))
    .join(delimiter);
  return runProgram('npm', args, {
    cwd,
    env: { ...process.env, PATH: path },
    // npm is a shell script on Windows.
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2],
  });
}

/**
 * @param {string} file
 * @param {string} otherwise
 */
function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise; // does not exist
  }
}

/** @param {string} file */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
