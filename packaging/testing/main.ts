/**
 * `npm test`: provides what the tests need besides npm packages, then runs each test file in its own process.
 *
 *     npm test                              everything
 *     npm test -- test/shared/domain        some files or folders
 *     npm test -- --jobs=1                  one file at a time; by default one more than CPU cores
 *     npm run test:quick                    types, lint, and the unit tests that run no other program
 *
 * tap's environment variables work too: `TAP_GREP=restore npm test -- test/workers/jobs` runs the tests with that word in their title.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install, isInstalled } from '../install.mjs';
import { root } from '../prepare.mjs';
import { runProgram } from '../run-program.mjs';
import { type FileResult, runFile } from './run-file.ts';
import { quickFiles, slowestFirst, takeNext, testFilesIn } from './select-files.ts';
import { slowestFiles, tally } from './summary.ts';
import { provideSystemPackages } from './system-packages.ts';
import { skippedLines } from './tap-report.ts';

const REAL_SERVERS = 'test/real/';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
// Files wait for processes and timers at times, but more of them at once only make each other late.
const jobs = Number(options.jobs ?? availableParallelism() + 1);

let checksFailed = false;
if (options.quick) {
  const args = [join(root, 'packaging/check.ts'), '--quick'];
  checksFailed = (await runProgram(process.execPath, args, { cwd: root })) !== 0;
}
await buildTap();

const selected = (positionals.length > 0 ? positionals : ['test']).flatMap((path) => testFilesIn(root, path));
const quick = quickFiles(root, selected);
const others = slowestFirst(selected.filter((file) => !quick.includes(file)));
const results = await runFiles(quick, options.quick ? [] : others);

for (const line of slowestFiles(results)) process.stdout.write(`${line}\n`);
const { ok, lines } = tally(results, { ci: process.env.CI === 'true' });
for (const line of lines) process.stdout.write(`${line}\n`);
process.exitCode = ok && !checksFailed ? 0 : 1;

/**
 * Runs the files, `jobs` at a time; prints one line for each that passed and the whole report of each other. Quick files, which need no
 * programs, run while those are being installed. Otherwise they run last, so that all lanes end at about the same time.
 */
async function runFiles(quick: string[], others: string[]): Promise<FileResult[]> {
  const [waitingQuick, waiting] = [[...quick], [...others]];
  const finished: FileResult[] = [];
  const running = new Set<string>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      waiting.length = 0;
      waitingQuick.length = 0;
    });

  let isProvided = false;
  const provided = others.length > 0 ? provideSystemPackages() : Promise.resolve();
  const servers = others.some((file) => file.startsWith(REAL_SERVERS)) ? installRealServers() : undefined;
  servers?.catch(() => undefined); // Awaited below, by the first file that needs them.
  provided.then(
    () => {
      isProvided = true;
    },
    () => undefined,
  );

  const next = async () => {
    if (!isProvided && waitingQuick.length > 0) return waitingQuick.shift();
    await provided;
    return takeNext(waiting, running) ?? waitingQuick.shift();
  };
  const lane = async () => {
    for (let file = await next(); file !== undefined; file = await next()) {
      if (file.startsWith(REAL_SERVERS)) await servers;
      running.add(file);
      const result = await runFile(root, file);
      running.delete(file);
      finished.push(result);
      print(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  return finished;
}

function print({ file, ok, ms, cpuMs, output }: FileResult): void {
  const lines = ok ? skippedLines(output).map((line) => `   ${line}\n`) : [output];
  process.stdout.write(
    `${ok ? 'ok' : 'not ok'} - ${file} (${(ms / 1000).toFixed(1)} s, ${(cpuMs / 1000).toFixed(1)} s CPU)\n${lines.join('')}`,
  );
}

async function installRealServers(): Promise<void> {
  const folder = join(root, REAL_SERVERS);
  if (isInstalled(folder)) return;
  process.stdout.write('Installing the servers and players of test/real (once, half a gigabyte)…\n');
  await install(folder);
}

/** Assembles tap from the plugins in `.taprc` (npm installs another selection), unless that was done since `.taprc` changed. */
async function buildTap(): Promise<void> {
  const stamp = join(root, 'node_modules/.gamekeeper-tap-built');
  const wanted = readFileSync(join(root, '.taprc'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const code = await runProgram(process.execPath, [join(root, 'node_modules/tap/dist/esm/run.mjs'), 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) throw new Error(`"tap build" ended with status ${code}; its messages are above.`);
  writeFileSync(stamp, wanted);
}
