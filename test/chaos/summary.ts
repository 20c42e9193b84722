import type { ChaosReport } from './run-chaos.ts';

/** A run in a few lines. */
export function summaryOf(report: ChaosReport): string[] {
  const { seed, kills, pauses, outcomes, answers, findings } = report;
  return [
    `seed ${seed}`,
    `killed: ${counts(kills)}`,
    `paused: ${counts(pauses)}`,
    `asked: ${counts(outcomes)}`,
    `answers: ${counts(answers)}`,
    `consoles: ${report.lines} lines checked against the log on disk, ${report.countedLines} of them counted by ${report.gameRuns} games; ${report.connections} connections of 4 viewers`,
    `backups: ${report.archives} archives whole; ${report.tokens} tokens`,
    findings.length === 0 ? 'nothing found' : `FOUND ${findings.length}:`,
    ...findings,
  ];
}

function counts(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
}
