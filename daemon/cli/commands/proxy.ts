import path from 'node:path';
import type { Command } from 'commander';
import { runProgram } from '../terminal/run-program.ts';

/** The proxy's program. This one is `dist/daemon/cli/main.js`. */
const PROXY = path.join(import.meta.dirname, '..', '..', 'gateway', 'proxy', 'main.js');

/** Keeps V8's young generation from growing while thousands of computers connect: a fifth less memory, at the same speed. */
const FLAGS = ['--max-semi-space-size=8'];

/** The proxy reads its own arguments: it needs no daemon, and may run on a machine that has none. */
export function addProxy(program: Command): void {
  program
    .command('proxy')
    .description('Run the proxy that reaches Gamekeepers behind any router (docs/proxy.md)')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action((args: string[]) => runProgram(PROXY, args, FLAGS));
}
