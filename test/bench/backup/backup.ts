/**
 * Backups: an archive made by a pool thread, including hash and sync, compared with `zip`, `sha256sum` and `sync` in sequence on the same
 * files (B1, B2), event loops meanwhile (B3), and a verified extraction compared with `sha256sum`, `unzip` and `sync` (B4).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPool, type Pool } from '../../../workers/jobs/resources/pool.ts';
import { Progress } from '../../../workers/pool/progress.ts';
import type { ArchiveResult } from '../../../workers/pool/task-types.ts';
import { type BenchRow, inTurns, ratioRow, type Turn } from '../row.ts';
import { type Cost, costOf, costOfShell } from './cost.ts';
import { measureDelays } from './delays.ts';
import { writeRegions, writeTexts } from './sample-world.ts';

const MIB = 1024 * 1024;
const REGIONS_BYTES = 2048 * MIB;
const TEXTS_BYTES = 300 * MIB;
const MOST_CPU = 1;
const POOL = path.join(import.meta.dirname, '../../../workers/pool/main.ts');
const NEVER = new AbortController().signal;

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  const pool = createPool(POOL);
  try {
    await warmUp(pool, folder);
    writeRegions(path.join(folder, 'regions'), REGIONS_BYTES);
    const regions = await compare({ pool, folder, source: 'regions', level: 0 });
    const extraction = await compareExtraction({ pool, folder, archive: regions.archive });
    rmSync(path.join(folder, 'regions'), { recursive: true });
    writeTexts(path.join(folder, 'texts'), TEXTS_BYTES);
    const texts = await compare({ pool, folder, source: 'texts', level: 1 });
    rmSync(path.join(folder, 'texts'), { recursive: true });
    const delays = await measureDelays([
      { name: 'regions', what: '2 GiB of region files', write: (to) => writeRegions(to, REGIONS_BYTES) },
      { name: 'texts', what: '300 MiB of text', write: (to) => writeTexts(to, TEXTS_BYTES) },
    ]);
    return [
      speed('B1', 'backup of 2 GiB of region files', regions.turns, 'zip -0 -r; sha256sum; sync'),
      cpu('B1', 'backup of 2 GiB of region files', regions.turns, 'zip -0 -r; sha256sum'),
      speed('B2', 'backup of 300 MiB of text', texts.turns, 'zip -1 -r; sha256sum; sync'),
      cpu('B2', 'backup of 300 MiB of text', texts.turns, 'zip -1 -r; sha256sum'),
      ...delays,
      speed('B4', 'verified extraction of 2 GiB of region files', extraction, 'sha256sum; unzip -q; sync'),
    ];
  } finally {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Setup {
  pool: Pool;
  folder: string;
}

/** The first task of a thread also loads its code. */
async function warmUp(pool: Pool, folder: string): Promise<void> {
  writeTexts(path.join(folder, 'warm'), MIB);
  await archive(pool, path.join(folder, 'warm'), path.join(folder, 'warm.zip'));
}

async function compare({ pool, folder, source, level }: Setup & { source: string; level: number }) {
  const file = path.join(folder, `${source}.zip`);
  let made: ArchiveResult | undefined;
  const theirs = () => {
    rmSync(file, { force: true });
    readAll(path.join(folder, source));
    sync();
    return costOfShell(`zip -${level} -r -q theirs.zip ${source}; sha256sum theirs.zip; sync`, folder);
  };
  const ours = () => {
    rmSync(path.join(folder, 'theirs.zip'));
    sync();
    return costOf(async () => {
      made = await archive(pool, path.join(folder, source), file);
    });
  };
  const turns = await inTurns(theirs, ours);
  const { sha256, sourceBytes } = made!;
  return { turns, archive: { file, sha256, sourceBytes } };
}

async function compareExtraction({
  pool,
  folder,
  archive: { file, sha256, sourceBytes },
}: Setup & { archive: { file: string; sha256: string; sourceBytes: number } }): Promise<Turn<Cost>[]> {
  const target = path.join(folder, 'ours');
  const theirs = () => {
    rmSync(target, { recursive: true, force: true });
    sync();
    return costOfShell(`sha256sum ${file}; unzip -q ${file} -d theirs; sync`, folder);
  };
  const ours = () => {
    rmSync(path.join(folder, 'theirs'), { recursive: true });
    sync();
    const order = { archive: file, target, sha256, sourceBytes, progress: new Progress().memory };
    return costOf(() => pool.run('extract', order, NEVER));
  };
  const turns = await inTurns(theirs, ours);
  rmSync(target, { recursive: true });
  return turns;
}

function archive(pool: Pool, source: string, target: string): Promise<ArchiveResult> {
  return pool.run('archive', { source, target, exclude: [], progress: new Progress().memory }, NEVER);
}

function speed(id: string, what: string, turns: readonly Turn<Cost>[], comparedWith: string): BenchRow {
  const perSecond = turns.map(({ ours, theirs }) => ({ ours: 1 / ours.seconds, theirs: 1 / theirs.seconds }));
  return ratioRow({ id, what, unit: 'per second', comparedWith, turns: perSecond, goal: { atLeast: 1 } });
}

function cpu(id: string, what: string, turns: readonly Turn<Cost>[], comparedWith: string): BenchRow {
  const seconds = turns.map(({ ours, theirs }) => ({ ours: ours.cpuSeconds, theirs: theirs.cpuSeconds }));
  const unit = 'CPU s';
  return ratioRow({ id, what: `${what}, CPU time`, unit, comparedWith, turns: seconds, goal: { atMost: MOST_CPU } });
}

/** Loads the files into the page cache, so that no disk is measured. */
function readAll(folder: string): void {
  for (const name of readdirSync(folder)) readFileSync(path.join(folder, name));
}

function sync(): void {
  execFileSync('sync');
}
