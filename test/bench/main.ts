/**
 * `npm run bench -- [part ...]`: measures Gamekeeper and, in the same run, what it is compared with. Prints one table and writes the same
 * rows to `results.json` beside this file. Without a part, measures all.
 *
 *     --accept            keeps the ratios in `accepted.json`, with which later runs are compared: those that became worse are named
 *     --compare <commit>  measures that commit and the working tree in turns, and prints the change
 *
 * The goals hold for ratios and CPU time rather than for absolute times, because machines differ. A row is noisy if its ratios differ by more
 * than 15 % within the run.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accept, changeOf, isWorse, readAccepted } from './accepted.ts';
import { compareWith } from './compare.ts';
import type { BenchRow } from './row.ts';

const NOISY_PERCENT = 15;

const PARTS: Record<string, () => Promise<{ run(): Promise<BenchRow[]> }>> = {
  console: () => import('./console/console.ts'),
  redaction: () => import('./redaction/redaction.ts'),
  memory: () => import('./processes/memory.ts'),
  start: () => import('./processes/start.ts'),
  reattach: () => import('./processes/reattach.ts'),
  backup: () => import('./backup/backup.ts'),
  'one-file': () => import('./backup/one-file.ts'),
  transfers: () => import('./files/transfers.ts'),
  folders: () => import('./files/folders.ts'),
  http: () => import('./http/http.ts'),
  panel: () => import('./panel/panel.ts'),
  proxy: () => import('./proxy/proxy.ts'),
  players: () => import('./players/players.ts'),
};

const { values: options, positionals: requested } = parseArgs({
  allowPositionals: true,
  options: { accept: { type: 'boolean', default: false }, compare: { type: 'string' } },
});
const unknown = requested.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part: ${unknown.join(', ')}. The parts are ${Object.keys(PARTS).join(', ')}.\n`);
  process.exit(2);
}

if (options.compare !== undefined) {
  const rows = await compareWith(options.compare, requested);
  console.table(rows.map((row) => ({ ...row, spread: noiseOf(row) })));
} else {
  const rows = await measure();
  const accepted = await readAccepted();
  console.table(rows.map((row) => tableRow(row, changeOf(row, accepted))));
  await writeFile(join(import.meta.dirname, 'results.json'), `${JSON.stringify(rows, undefined, 2)}\n`);
  for (const row of rows.filter((each) => isWorse(each, accepted, NOISY_PERCENT)))
    process.stderr.write(`Worse than accepted: ${row.id} ${row.what} (${changeOf(row, accepted)})\n`);
  if (options.accept) await accept(rows);
}

async function measure(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  // In sequence: a measurement needs the machine for itself.
  for (const [name, load] of Object.entries(PARTS)) {
    if (requested.length > 0 && !requested.includes(name)) continue;
    process.stderr.write(`Measuring ${name}…\n`);
    rows.push(...(await (await load()).run()));
  }
  return rows;
}

/** The columns that fit on a screen. */
function tableRow(
  { id, what, value, unit, comparedWith, reference, ratio, spread, goal, pass }: BenchRow,
  change: string,
) {
  return { id, what, value, unit, comparedWith, reference, ratio, spread: noiseOf({ spread }), goal, pass, change };
}

function noiseOf({ spread }: { spread?: number | undefined }): string {
  return spread === undefined ? '' : `${spread} %${spread > NOISY_PERCENT ? ', noisy' : ''}`;
}
