/**
 * `npm run bench -- <part ...>`: measures, beside what it is compared with in the same run. Prints one table and writes
 * `results.json` beside this file. Without a part it runs all that there are.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchRow } from './row.ts';

/** Each is a file here that exports `run(): Promise<BenchRow[]>`. */
const PARTS = ['console', 'redaction', 'memory', 'start', 'backup', 'http', 'adopt', 'proxy', 'panel'];

interface Part {
  run(): Promise<BenchRow[]>;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !PARTS.includes(part) || !isThere(part));
if (unknown.length > 0) {
  process.stderr.write(`No such part: ${unknown.join(', ')}. There are: ${PARTS.filter(isThere).join(', ')}.\n`);
  process.exit(2);
}

const rows: BenchRow[] = [];
for (const name of asked.length > 0 ? asked : PARTS.filter(isThere)) {
  process.stderr.write(`Measuring ${name}…\n`);
  // One after another: a measurement wants the machine for itself.
  const part: Part = await import(pathToFileURL(fileOf(name)).href);
  rows.push(...(await part.run()));
}
console.table(rows);
await writeFile(join(import.meta.dirname, 'results.json'), `${JSON.stringify(rows, undefined, 2)}\n`);

function fileOf(part: string): string {
  return join(import.meta.dirname, `${part}.ts`);
}

function isThere(part: string): boolean {
  return existsSync(fileOf(part));
}
