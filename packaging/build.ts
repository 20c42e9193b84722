/**
 * Bundles every process's entry into one self-contained file, `dist/<its path>.js`: a process that loads one file starts
 * in a third of the time and keeps a third less memory than one that loads hundreds.
 *
 *     node packaging/build.ts [--only daemon/main.ts ...] [--allow-missing] [--without-panel]
 *
 * The panel is built by Vite, from packages of its own that are installed first. `--allow-missing` is for work in progress:
 * entries that do not exist yet are left out, with a warning. Neither such a build nor one without the panel counts as done.
 */
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BundleStrangers, bundle } from './bundle.ts';
import { buildStamp, fingerprint } from './freshness.mjs';
import { install, isInstalled } from './install.mjs';
import { loader } from './loader.ts';
import { root } from './prepare.mjs';
import { runProgram } from './run-program.mjs';

const PANEL = join(root, 'gateway/panel');

const ENTRIES: { source: string; strangers?: BundleStrangers; seldom?: string[] }[] = [
  { source: 'daemon/main.ts' },
  { source: 'daemon/cli/main.ts' },
  { source: 'gateway/main.ts' },
  {
    source: 'workers/supervisor/main.ts',
    strangers: {
      packages: ['zod', 'pino'],
      reason: 'there is one supervisor per game server, and each of these costs it megabytes',
    },
    seldom: ['ws'],
  },
  { source: 'workers/jobs/main.ts' },
  { source: 'workers/pool/main.ts' },
  { source: 'workers/demo/main.ts', seldom: ['ws'] },
];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'allow-missing': { type: 'boolean' },
    'without-panel': { type: 'boolean' },
  },
});

const unknown = options.only?.filter((source) => !ENTRIES.some((entry) => entry.source === source)) ?? [];
if (unknown.length > 0)
  fail(2, `No such entry: ${unknown.join(', ')}. There are ${ENTRIES.map((e) => e.source).join(', ')}.`);

const wanted = ENTRIES.filter((entry) => options.only?.includes(entry.source) ?? true);
const missing: string[] = [];
for (const { source } of wanted) {
  if (!(await exists(source))) missing.push(source);
}
if (missing.length > 0 && !options['allow-missing']) fail(1, `There is nothing to build at ${missing.join(', ')}.`);

// Taken first: a file that changes while we build makes the next look find the build out of date.
const sources = fingerprint(root);
await rm(join(root, buildStamp), { force: true });

for (const { source, strangers, seldom } of wanted) {
  if (missing.includes(source)) {
    process.stderr.write(`WARNING: ${source} does not exist yet and was left out.\n`);
    continue;
  }
  try {
    const target = join(root, 'dist', source.replace(/\.ts$/, '.js'));
    const bundled = await bundle({ root, source, file: target.replace(/\.js$/, '.bundle.js'), strangers, seldom });
    await writeWhole(`${target.replace(/\.js$/, '.bundle.js.map')}`, bundled.map);
    await writeWhole(target.replace(/\.js$/, '.bundle.js'), bundled.code);
    await writeWhole(target, loader({ target, cacheFolder: join(root, 'dist', '.cache'), exports: bundled.exports }));
  } catch (error) {
    fail(1, `${source} cannot be built: ${error instanceof Error ? error.message : error}`);
  }
}
const withPanel = options.only === undefined && !options['without-panel'];
if (withPanel) await buildPanel();
if (withPanel && missing.length === 0) await writeWhole(join(root, buildStamp), sources);

/** Vite writes `dist/panel`: its own module says how. */
async function buildPanel(): Promise<void> {
  if (!isInstalled(PANEL)) await install(PANEL);
  const args = [join(PANEL, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
  const code = await runProgram(process.execPath, args, { cwd: PANEL, stdio: ['ignore', 2, 2] });
  if (code !== 0) fail(1, `The panel cannot be built: Vite ended with status ${code}; its messages are above.`);
}

async function exists(path: string): Promise<boolean> {
  return stat(join(root, path)).then(
    () => true,
    () => false, // What cannot be looked at cannot be bundled either.
  );
}

/** A daemon that is running may start a child at any moment: it must find the old file or the new one, never half of one. */
async function writeWhole(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, content);
  await rename(partial, file);
}

function fail(status: number, message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(status);
}
