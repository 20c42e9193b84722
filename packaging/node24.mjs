// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

/** The oldest Node that runs TypeScript and everything of Gamekeeper's that was built. */
const OLDEST_NODE = 24;

/** Whether this very process can load what was built, so that no second Node is needed. */
export const isModernNode = Number.parseInt(process.versions.node, 10) >= OLDEST_NODE;

/**
 * The Node that Gamekeeper runs on: the one that was installed with the other packages, else this one if it is new enough.
 *
 * @param {string} root the checkout
 * @returns {string} absolute path of the program
 * @throws {Error} when there is neither
 */
function findNode(root) {
  const installed = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(installed)) return installed;
  if (isModernNode) return process.execPath;
  throw new Error(
    `Gamekeeper runs on Node ${OLDEST_NODE}, which comes as the npm package "node", but its program is not at ${installed}. ` +
      'Does npm run install scripts here (npm config get ignore-scripts)? Allow them, or put Node 24 on the PATH.',
  );
}

/**
 * Runs Gamekeeper's Node in this terminal until it ends; see `runProgram`.
 *
 * @param {string} root the checkout
 * @param {string[]} args what follows `node`
 * @returns {Promise<number>} the exit code
 * @throws {Error} when there is no such Node, or it cannot be started
 */
export async function runNode(root, args) {
  return runProgram(findNode(root), args);
}
