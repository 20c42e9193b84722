import type { KindTestResult } from './test-kind.ts';

const MARKS = { ok: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

export function describeTest({ kind, ok, checks, console: lines = [] }: KindTestResult): string {
  return [
    ...checks.map(({ check, result, says }) => `${MARKS[result].padEnd(9)}${check.padEnd(9)}${says}`),
    ...(lines.length > 0 ? ['', 'The last lines of its console:', ...lines.map((line) => `  | ${line}`)] : []),
    '',
    ok
      ? `A server of the kind "${kind}" does what the kind says.`
      : `A server of the kind "${kind}" does not do what the kind says.`,
  ].join('\n');
}
