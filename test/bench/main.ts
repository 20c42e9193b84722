/**
 * `npm run bench -- [part ...]`: measures Gamekeeper and, in the same run, what it is compared with. Prints one table and writes the same
 * rows to `results.json` beside this file. Without an argument, measures all parts.
 *
 * The goals hold for ratios and CPU time rather than for absolute times, because machines differ.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRow } from './row.ts';

const PARTS: Record<string, () => Promise<{ run(): Promise<BenchRow[]> }>> = {
  console: () => import('./console/console.ts'),
  redaction: () => import('./redaction/redaction.ts'),
  memory: () => import('./processes/memory.ts'),
  start: () => import('./processes/start.ts'),
  reattach: () => import('./processes/reattach.ts'),
  backup: () => import('./backup/backup.ts'),
  'one-file': () => import('./backup/one-file.ts'),
  sftp: () => import('./files/sftp.ts'),
  http: () => import('./http/http.ts'),
  panel: () => import('./panel/panel.ts'),
  proxy: () => import('./proxy/proxy.ts'),
  players: () => import('./players/players.ts'),
};

const requested = process.argv.slice(2);
const unknown = requested.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part: ${unknown.join(', ')}. The parts are ${Object.keys(PARTS).join(', ')}.\n`);
  process.exit(2);
}

const rows: BenchRow[] = [];
// In sequence: a measurement needs the machine for itself.
for (const [name, load] of Object.entries(PARTS)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  process.stderr.write(`Measuring ${name}…\n`);
  rows.push(...(await (await load()).run()));
}
console.table(rows);
await writeFile(join(import.meta.dirname, 'results.json'), `${JSON.stringify(rows, undefined, 2)}\n`);
