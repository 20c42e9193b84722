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
import { type BenchRow, rounded } from '../row.ts';
import { measureDelays } from './event-loop-delay.ts';
import { writeRegions, writeTexts } from './sample-world.ts';

const MIB = 1024 * 1024;
const REGIONS_BYTES = 2048 * MIB;
const TEXTS_BYTES = 300 * MIB;
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
      wall('B1', 'backup of 2 GiB of region files', regions, 'zip -0 -r; sha256sum; sync'),
      perCpu('B1', 'backup of 2 GiB of region files, per CPU second', regions, 350),
      wall('B2', 'backup of 300 MiB of text', texts, 'zip -1 -r; sha256sum; sync'),
      perCpu('B2', 'backup of 300 MiB of text, per CPU second', texts, 85),
      ...delays,
      wall('B4', 'verified extraction of 2 GiB of region files', extraction, 'sha256sum; unzip -q; sync'),
    ];
  } finally {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  megabytes: number;
  ownSeconds: number;
  cpuSeconds: number;
  theirSeconds: number;
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
  const from = path.join(folder, source);
  readAll(from);
  sync();
  const theirs = path.join(folder, 'theirs.zip');
  const theirSeconds = await seconds(() => {
    execFileSync('zip', [`-${level}`, '-r', '-q', theirs, source], { cwd: folder });
    execFileSync('sha256sum', [theirs]);
    sync();
  });
  rmSync(theirs);
  sync();
  const file = path.join(folder, `${source}.zip`);
  const cpu = process.cpuUsage();
  let result: ArchiveResult | undefined;
  const ownSeconds = await seconds(async () => {
    result = await archive(pool, from, file);
  });
  const { user, system } = process.cpuUsage(cpu);
  const { sha256, sourceBytes } = result!;
  const measured = { megabytes: sourceBytes / 1e6, ownSeconds, cpuSeconds: (user + system) / 1e6, theirSeconds };
  return { ...measured, archive: { file, sha256, sourceBytes } };
}

async function compareExtraction({
  pool,
  folder,
  archive: { file, sha256, sourceBytes },
}: Setup & { archive: { file: string; sha256: string; sourceBytes: number } }): Promise<Measured> {
  const theirSeconds = await seconds(() => {
    execFileSync('sha256sum', [file]);
    execFileSync('unzip', ['-q', file, '-d', path.join(folder, 'theirs')]);
    sync();
  });
  rmSync(path.join(folder, 'theirs'), { recursive: true });
  sync();
  const target = path.join(folder, 'ours');
  const cpu = process.cpuUsage();
  const ownSeconds = await seconds(async () => {
    await pool.run('extract', { archive: file, target, sha256, sourceBytes, progress: new Progress().memory }, NEVER);
  });
  const { user, system } = process.cpuUsage(cpu);
  rmSync(target, { recursive: true });
  return { megabytes: sourceBytes / 1e6, ownSeconds, cpuSeconds: (user + system) / 1e6, theirSeconds };
}

function archive(pool: Pool, source: string, target: string): Promise<ArchiveResult> {
  return pool.run('archive', { source, target, exclude: [], progress: new Progress().memory }, NEVER);
}

function wall(
  id: string,
  what: string,
  { megabytes, ownSeconds, theirSeconds }: Measured,
  comparedWith: string,
): BenchRow {
  const ratio = theirSeconds / ownSeconds;
  return {
    id,
    what,
    value: rounded(megabytes / ownSeconds),
    unit: 'MB/s',
    comparedWith,
    reference: rounded(megabytes / theirSeconds),
    ratio: rounded(ratio),
    goal: 'ratio at least 1',
    pass: ratio >= 1,
  };
}

function perCpu(id: string, what: string, { megabytes, cpuSeconds }: Measured, goal: number): BenchRow {
  const value = megabytes / cpuSeconds;
  const unit = 'MB per CPU second';
  return { id, what, value: rounded(value), unit, goal: `at least ${goal} ${unit}`, pass: value >= goal };
}

/** Loads the files into the page cache, so that no disk is measured. */
function readAll(folder: string): void {
  for (const name of readdirSync(folder)) readFileSync(path.join(folder, name));
}

function sync(): void {
  execFileSync('sync');
}

async function seconds(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
