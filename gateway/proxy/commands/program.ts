import { Command } from 'commander';
import { VERSION } from '../../../shared/domain/version.ts';
import { addApprove } from './approve.ts';
import { addClient } from './client.ts';
import { configOf } from './config-of.ts';
import { addInvite } from './invite.ts';
import { addKey } from './key.ts';
import { run } from './run.ts';
import { addSecret } from './secret.ts';
import { addUnit } from './unit.ts';
import { addUser } from './user.ts';

/** Returns `gamekeeper proxy` with its commands. Parsing throws CommanderError for wrong usage, StartupError for everything else. */
export function createProgram(): Command {
  const program = new Command('gamekeeper proxy')
    .description('Run the proxy that reaches Gamekeepers behind any router (docs/proxy.md)')
    .version(VERSION)
    .option('--home <dir>', 'The data directory (default: GAMEKEEPER_PROXY_HOME)')
    .exitOverride()
    .action((_options, command: Command) => run(configOf(command)));
  for (const add of [addUser, addInvite, addClient, addKey, addSecret, addApprove, addUnit]) add(program);
  return program;
}
