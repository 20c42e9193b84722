import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { sessionOf, withCommonOptions } from '../api/session.ts';

/** The daemon's program. This one is `dist/daemon/cli/main.js`. */
const DAEMON = path.join(import.meta.dirname, '..', 'main.js');

/** A shell reports the end by a signal as this plus the signal's number. */
const SIGNAL_STATUS = 128;

export function addUp(program: Command): void {
  withCommonOptions(program.command('up'))
    .description('Run Gamekeeper in this terminal until Ctrl-C')
    .action(async (_options, command: Command) => {
      const { home, json } = sessionOf(command);
      const child = spawn(process.execPath, [DAEMON, '--home', home.root, ...(json ? ['--json'] : [])], {
        stdio: 'inherit',
      });
      const passOn = (signal: NodeJS.Signals) => {
        // A terminal sends Ctrl-C to every process in the foreground, the daemon included.
        if (signal === 'SIGINT' && process.stdin.isTTY) return;
        child.kill(signal);
      };
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn);
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      process.exit(code ?? SIGNAL_STATUS + constants.signals[signal ?? 'SIGKILL']);
    });
}
