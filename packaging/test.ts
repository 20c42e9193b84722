/**
 * `npm test`: provides what the tests need besides npm packages, then runs them, quick ones first.
 *
 *     npm test                              everything
 *     npm test -- test/shared/domain        some files or folders (or any other argument of tap's)
 */

import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { install, isInstalled } from './install.mjs';
import { root } from './prepare.mjs';
import { runProgram } from './run-program.mjs';
import { provideSystemPackages } from './system-packages.ts';
import { type Totals, tapDigest } from './tap-digest.ts';

/** Whole systems, other people's servers: minutes. They run when the quick tests are through. */
const SLOW = ['test/integration/', 'test/security/', 'test/browser/', 'test/real/'];
const REAL_SERVERS = 'test/real/';

/** The program behind node_modules/.bin/tap, which is a shell script on Windows. */
const TAP = join(root, 'node_modules/tap/dist/esm/run.mjs');

const selection = process.argv.slice(2);
const groups = selection.length > 0 ? [selection.flatMap(filesOf)] : quickThenSlow(filesOf('test'));

await provideSystemPackages();
await buildTap();
const results: Totals[] = [];
for (const files of groups) {
  if (files.length === 0) continue;
  if (files.some((file) => file.startsWith(REAL_SERVERS))) await installRealServers();
  results.push(await runTap(files));
}
process.exitCode = conclude(results);

/** The test files in a folder; anything that is no folder (a file, an option of tap's) stands for itself. */
function filesOf(path: string): string[] {
  const exclude = (name: string) => name.endsWith('node_modules') || name.endsWith('fixtures');
  const inside = globSync(`${path.replace(/\/$/, '')}/**/*.test.ts`, { cwd: root, exclude }).sort();
  return inside.length > 0 ? inside : [path];
}

function quickThenSlow(files: string[]): string[][] {
  const isSlow = (file: string) => SLOW.some((folder) => file.startsWith(folder));
  return [files.filter((file) => !isSlow(file)), files.filter(isSlow)];
}

async function installRealServers(): Promise<void> {
  const folder = join(root, REAL_SERVERS);
  if (isInstalled(folder)) return;
  process.stdout.write('Installing the servers and players of test/real (once, half a gigabyte)…\n');
  await install(folder);
}

/** Assembles tap from the plugins in `.taprc` (npm brings it with another selection); remembered until one of both changes. */
async function buildTap(): Promise<void> {
  const stamp = join(root, 'node_modules/.gamekeeper-tap-built');
  const wanted = readFileSync(join(root, '.taprc'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const code = await runProgram(process.execPath, [TAP, 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) throw new Error(`"tap build" ended with status ${code}; its messages are above.`);
  writeFileSync(stamp, wanted);
}

/** How many test files at a time is in `.taprc`; each has its own home and ports. */
async function runTap(files: string[]): Promise<Totals> {
  const args = [TAP, 'run', '--reporter=tap', ...files];
  const tap = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const digest = tapDigest();
  const exited = new Promise<boolean>((resolve, reject) => {
    tap.once('error', reject);
    tap.once('exit', (code) => resolve(code === 0));
  });
  for await (const line of createInterface({ input: tap.stdout })) {
    for (const shown of digest.read(line)) process.stdout.write(`${shown}\n`);
  }
  const ok = await exited;
  const totals = digest.totals() ?? { passed: 0, failed: 0, skipped: 0 };
  // A file that cannot even be loaded has no assertion that failed.
  return ok ? totals : { ...totals, failed: Math.max(totals.failed, 1) };
}

/** Prints the last lines and returns the exit code. */
function conclude(totals: Totals[]): number {
  const sum = (pick: (total: Totals) => number) => totals.reduce((all, total) => all + pick(total), 0);
  const [passed, failed, skipped] = [sum((t) => t.passed), sum((t) => t.failed), sum((t) => t.skipped)];
  const skippedInCi = process.env.CI === 'true' && skipped > 0;
  if (skippedInCi) process.stdout.write(`\n${skipped} skipped, which with CI=true counts as failed.\n`);
  const allFailed = failed + (skippedInCi ? skipped : 0);
  process.stdout.write(allFailed === 0 ? '\nAll tests passed.\n' : '\nSome tests FAILED.\n');
  process.stdout.write(`${passed} passed, ${allFailed} failed\n`);
  return allFailed === 0 && passed > 0 ? 0 : 1;
}
