// @ts-check
/**
 * Runs `npm start`, `npm test` and the other scripts: `node packaging/run.mjs <task> [arguments]`. Plain JavaScript for Node 20 and newer,
 * because it runs before anything is installed. The tasks are TypeScript on Gamekeeper's own Node 24.
 */
import { join } from 'node:path';
import { runNode } from './node24.mjs';
import { prepare, root } from './prepare.mjs';

/** @type {Record<string, { script: string, args?: string[], build: boolean }>} */
const TASKS = {
  start: { script: 'daemon/cli/gamekeeper.js', args: ['up'], build: true },
  test: { script: 'packaging/testing/main.ts', build: true },
  'test:quick': { script: 'packaging/testing/main.ts', args: ['--quick'], build: false },
  bench: { script: 'test/bench/main.ts', build: true },
  chaos: { script: 'test/chaos/main.ts', build: true },
  'demo:proxy': { script: 'packaging/demo/main.ts', build: true },
  systemd: { script: 'test/systemd/main.ts', build: true },
  check: { script: 'packaging/check.ts', build: false },
  build: { script: 'packaging/build/build.ts', build: false },
};

const [name = '', ...rest] = process.argv.slice(2);
const task = TASKS[name];
if (task) {
  try {
    await prepare({ build: task.build });
    process.exitCode = await runNode(root, [join(root, task.script), ...(task.args ?? []), ...rest]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
} else {
  process.stderr.write(`Usage: node packaging/run.mjs ${Object.keys(TASKS).join('|')} [arguments]\n`);
  process.exitCode = 2;
}
