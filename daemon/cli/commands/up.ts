import path from 'node:path';
import type { Command } from 'commander';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { runProgram } from '../terminal/run-program.ts';

/** The daemon's program. This one is `dist/daemon/cli/main.js`. */
const DAEMON = path.join(import.meta.dirname, '..', 'main.js');

export function addUp(program: Command): void {
  withCommonOptions(program.command('up'))
    .description('Run Gamekeeper in this terminal until Ctrl-C')
    .action((_options, command: Command) => {
      const { home, json } = sessionOf(command);
      return runProgram(DAEMON, ['--home', home.root, ...(json ? ['--json'] : [])]);
    });
}
