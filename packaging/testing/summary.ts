import type { Totals } from './tap-report.ts';

/** How many of the slowest files are listed. */
const SLOWEST = 10;

/** How long a file took, and the CPU time of its processes, milliseconds. */
interface Taken {
  file: string;
  ms: number;
  cpuMs: number;
}

/** Returns lines that name the slowest files, slowest first, and the CPU time of all; none if only one file ran. */
export function slowestFiles(results: readonly Taken[]): string[] {
  if (results.length < 2) return [];
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const all = results.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);
  return [
    '',
    `Slowest files, of ${Math.round(all / 1000)} s of CPU time in all:`,
    ...slowest.map(({ file, ms, cpuMs }) => `${seconds(ms)} s ${seconds(cpuMs)} s CPU  ${file}`),
  ];
}

/** Returns the last lines of a run, the last of which is `N passed, M failed`. In CI, a test that was skipped counts as failed. */
export function tally(
  results: readonly { totals: Totals }[],
  { ci }: { ci: boolean },
): { ok: boolean; lines: string[] } {
  const sum = (name: keyof Totals) => results.reduce((all, { totals }) => all + totals[name], 0);
  const [passed, skipped] = [sum('passed'), sum('skipped')];
  const failed = sum('failed') + (ci ? skipped : 0);
  const lines = [''];
  if (ci && skipped > 0) lines.push(`${skipped} skipped, which with CI=true counts as failed.`, '');
  lines.push(failed === 0 ? 'All tests passed.' : 'Some tests FAILED.', `${passed} passed, ${failed} failed`);
  return { ok: failed === 0 && passed > 0, lines };
}
