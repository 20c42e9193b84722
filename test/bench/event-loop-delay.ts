import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../support/machine/until.ts';
import { type BenchGamekeeper, startForBench } from './running-gamekeeper.ts';

const PROBE = path.join(import.meta.dirname, 'delay-probe.ts');

/** A Gamekeeper whose processes can tell how late their event loops are. */
export interface ProbedGamekeeper extends BenchGamekeeper {
  /** Resolves to the p99 of the delay of a process since the last call, in milliseconds. */
  delayOf(pid: number): Promise<number>;
}

/** Starts it like `startForBench`. */
export async function startProbed(cleanup: AsyncDisposableStack): Promise<ProbedGamekeeper> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const gamekeeper = await startForBench(cleanup, {
    NODE_OPTIONS: `--import=${pathToFileURL(PROBE).href}`,
    GK_BENCH_DELAYS: folder,
  });
  return {
    ...gamekeeper,
    async delayOf(pid) {
      const file = path.join(folder, String(pid));
      process.kill(pid, 'SIGWINCH');
      const text = await until(`process ${pid} has written its delay`, () => read(file));
      rmSync(file);
      return Number(text);
    },
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8') || undefined;
  } catch {
    return undefined; // Not written yet.
  }
}
