/**
 * `npm run check`: all static checks. All of them run, even if one fails.
 * `--quick`, for `npm run test:quick`: only types, format and lint.
 */
import { join } from 'node:path';
import { checkBoundaries } from './boundaries.ts';
import { install, isInstalled } from './install.mjs';
import { lockFileFaults } from './lock-file.ts';
import { root } from './prepare.mjs';
import { runProgram } from './run-program.mjs';

/** Biome uses colours in CI even without a terminal. */
const plain = process.stdout.isTTY ? [] : ['--colors=off'];

const CHECKS: { name: string; quick?: true; run: () => Promise<number> }[] = [
  { name: 'types (tsc)', quick: true, run: () => checkTypes('.') },
  { name: 'types of the panel (tsc)', quick: true, run: checkPanelTypes },
  {
    name: 'format and lint (biome)',
    quick: true,
    run: tool('@biomejs/biome/bin/biome', 'ci', '--diagnostic-level=warn', ...plain),
  },
  { name: 'boundaries (dependency-cruiser)', run: () => checkBoundaries(root) },
  { name: 'unused code and dependencies (knip)', run: tool('knip/bin/knip.js') },
  { name: 'lock files', run: checkLockFiles },
];

const failed: string[] = [];
const onlyQuick = process.argv.includes('--quick');
for (const { name, quick, run } of CHECKS) {
  if (onlyQuick && !quick) continue;
  process.stdout.write(`\n== ${name}\n`);
  if ((await run()) !== 0) failed.push(name);
}
process.stdout.write(failed.length === 0 ? '\nAll checks passed.\n' : `\nFAILED: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs a development tool by the path of its program in node_modules. */
function tool(path: string, ...args: string[]): () => Promise<number> {
  return () => runProgram(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root });
}

/** The panel has its own packages. */
async function checkPanelTypes(): Promise<number> {
  const panel = join(root, 'gateway/panel');
  if (!isInstalled(panel)) await install(panel);
  return checkTypes('gateway/panel');
}

/** Only what has changed since the last check is checked again. */
function checkTypes(folder: string): Promise<number> {
  const known = join(root, folder, 'node_modules/.cache/types.tsbuildinfo');
  return tool('typescript/bin/tsc', '-p', folder, '--incremental', '--tsBuildInfoFile', known)();
}

async function checkLockFiles(): Promise<number> {
  const faults = await Promise.all(
    ['.', 'gateway/panel', 'test/real'].map((folder) => lockFileFaults(join(root, folder, 'package-lock.json'))),
  );
  for (const fault of faults.flat()) process.stdout.write(`${fault}\n`);
  return faults.flat().length;
}
