import type { Command } from 'commander';
import { DAEMON_PROGRAM } from '../api/daemon-program.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { runProgram } from '../terminal/run-program.ts';

export function addUp(program: Command): void {
  withCommonOptions(program.command('up'))
    .description('Run Gamekeeper in this terminal until Ctrl-C')
    .action((_options, command: Command) => {
      const { home, json } = sessionOf(command);
      return runProgram(DAEMON_PROGRAM, ['--home', home.root, ...(json ? ['--json'] : [])]);
    });
}
