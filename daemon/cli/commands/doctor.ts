import type { Command } from 'commander';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';

const MARKS: Readonly<Record<Finding['result'], string>> = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' };
const MARK_WIDTH = 9;
const NAME_WIDTH = 17;

export function addDoctor(program: Command): void {
  withCommonOptions(program.command('doctor'))
    .description('Check everything on this machine and show what to do about problems; changes nothing')
    .option(
      '--online',
      'Also check that the vendors of software and Java can be reached, and the machines that tunnels lead to',
    )
    .action(async ({ online = false }: { online?: boolean }, command: Command) => {
      const { home, answer } = sessionOf(command);
      const checks = await examine({ home, env: process.env, now: Date.now(), online });
      const problems = checks.filter(({ result }) => result === 'problem').length;
      const warnings = checks.filter(({ result }) => result === 'warning').length;
      answer({ ok: problems === 0, problems, warnings, checks }, (document) =>
        [...document.checks.map(say), '', summary({ problems, warnings })].join('\n'),
      );
      if (problems > 0) process.exitCode = EXIT.failure;
    });
}

function say({ check, result, says, fix }: Finding): string {
  const indent = ' '.repeat(MARK_WIDTH + NAME_WIDTH);
  const text = says.replaceAll('\n', `\n${indent}`);
  const line = `${MARKS[result].padEnd(MARK_WIDTH)}${check.padEnd(NAME_WIDTH)}${text}`;
  return fix === undefined ? line : `${line}\n${indent}-> ${fix}`;
}

function summary({ problems, warnings }: { problems: number; warnings: number }): string {
  if (problems + warnings === 0) return 'No problems found.';
  return `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
}
