#!/usr/bin/env node
// @ts-check
/**
 * The `gamekeeper` command of this checkout. Plain JavaScript for Node 20 and newer: it installs and builds what is missing, then loads the
 * real command line, in this process if its Node is new enough, otherwise in Gamekeeper's own Node.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isModernNode, runNode } from '../../packaging/node24.mjs';
import { prepare, root } from '../../packaging/prepare.mjs';

const main = join(root, 'dist', 'daemon', 'cli', 'main.js');
try {
  await prepare({ build: true });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

if (isModernNode) await import(pathToFileURL(main).href);
else process.exitCode = await runNode(root, [main, ...process.argv.slice(2)]);
