/**
 * `npm run chaos -- 30m [--keep]`: kills and pauses processes at random for the given time (`90`, `90s`, `2m`), then checks that nothing
 * was lost. `SEED=7 npm run chaos` takes the steps of that seed. `--keep` keeps the data directory if a violation was found.
 */
import { parseArgs } from 'node:util';
import { SEED } from '../support/kills/seed.ts';
import { runChaos } from './run-chaos.ts';
import { summaryOf } from './summary.ts';

const DEFAULT_DURATION = '2m';
const SECONDS = { s: 1, m: 60, h: 3600 } as const;

const { values, positionals } = parseArgs({
  options: { keep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const seconds = secondsOf(positionals[0] ?? DEFAULT_DURATION);
if (seconds === undefined || !Number.isSafeInteger(SEED)) {
  process.stderr.write('Usage: [SEED=<number>] npm run chaos -- [90s|30m] [--keep]\n');
  process.exit(2);
}

process.stderr.write(`${seconds} s of chaos, seed ${SEED}…\n`);
const report = await runChaos({ seed: SEED, seconds, keep: values.keep });
if (report.findings.length > 0) process.stdout.write(`${report.history.join('\n')}\n`);
process.stdout.write(`${summaryOf(report).join('\n')}\n`);
if (values.keep && report.findings.length > 0) process.stdout.write(`The data directory is ${report.home}\n`);
process.exitCode = report.findings.length === 0 ? 0 : 1;

function secondsOf(text: string): number | undefined {
  const [, number, unit = 's'] = /^(\d+)([smh])?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * SECONDS[unit as keyof typeof SECONDS];
}
