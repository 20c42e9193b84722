// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

/** The oldest Node that runs Gamekeeper and its TypeScript. */
const OLDEST_NODE = 24;

/** Whether this process can run Gamekeeper, so that no second Node is needed. */
export const isModernNode = Number.parseInt(process.versions.node, 10) >= OLDEST_NODE;

/**
 * Returns whether there is a Node to run Gamekeeper on: the installed one, or this one.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
export function hasNode(root) {
  return isModernNode || existsSync(installedNode(root));
}

/**
 * Runs Gamekeeper's Node in this terminal until it ends; see `runProgram`.
 *
 * @param {string} root the checkout
 * @param {string[]} args the arguments after `node`
 * @returns {Promise<number>} the exit code
 * @throws {Error} if there is no such Node, or it cannot be started
 */
export async function runNode(root, args) {
  if (!hasNode(root)) {
    throw new Error(
      `Gamekeeper runs on Node ${OLDEST_NODE} from the npm package "node", but ${installedNode(root)} does not exist. ` +
        'Check that npm runs install scripts (npm config get ignore-scripts), or put Node 24 on the PATH.',
    );
  }
  const installed = installedNode(root);
  return runProgram(existsSync(installed) ? installed : process.execPath, args);
}

/** @param {string} root */
function installedNode(root) {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
