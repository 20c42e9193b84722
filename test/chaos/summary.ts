import type { ChaosReport } from './run-chaos.ts';

/** Returns a run's report as a few lines of text. */
export function summaryOf(report: ChaosReport): string[] {
  const { seed, kills, pauses, outcomes, answers, findings } = report;
  return [
    `seed ${seed}: ${findings.length === 0 ? 'no violations' : `${findings.length} VIOLATIONS:`}`,
    ...findings,
    `killed: ${counts(kills)}`,
    `paused: ${counts(pauses)}`,
    `steps: ${counts(outcomes)}`,
    `answers: ${counts(answers)}`,
    `consoles: ${report.lines} lines compared with the log on disk, ${report.countedLines} of them numbered by ${report.gameRuns} game processes; 4 viewers connected ${report.connections} times`,
    `backups: ${report.archives} archives checked; ${report.tokens} tokens`,
  ];
}

function counts(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
}
