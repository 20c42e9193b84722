/**
 * `npm run chaos -- 30m [--seed N] [--keep]`: kills and pauses processes at random for the given time (`90`, `90s`, `2m`), then checks
 * that nothing was lost. The same seed takes the same steps. `--keep` keeps the data directory if a violation was found.
 */
import { parseArgs } from 'node:util';
import { runChaos } from './run-chaos.ts';
import { summaryOf } from './summary.ts';

const DEFAULT_DURATION = '2m';
const SECONDS = { s: 1, m: 60, h: 3600 } as const;

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, keep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const seconds = secondsOf(positionals[0] ?? DEFAULT_DURATION);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (seconds === undefined || !Number.isSafeInteger(seed)) {
  process.stderr.write('Usage: npm run chaos -- [90s|30m] [--seed <number>] [--keep]\n');
  process.exit(2);
}

process.stderr.write(`${seconds} s of chaos, seed ${seed}…\n`);
const report = await runChaos({ seed, seconds, keep: values.keep });
if (report.findings.length > 0) process.stdout.write(`${report.history.join('\n')}\n`);
process.stdout.write(`${summaryOf(report).join('\n')}\n`);
if (values.keep && report.findings.length > 0) process.stdout.write(`The data directory is ${report.home}\n`);
process.exitCode = report.findings.length === 0 ? 0 : 1;

function secondsOf(text: string): number | undefined {
  const [, number, unit = 's'] = /^(\d+)([smh])?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * SECONDS[unit as keyof typeof SECONDS];
}
