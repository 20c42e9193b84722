import { Command, InvalidArgumentError } from 'commander';
import { VERSION } from '../../../shared/domain/version.ts';
import { addApprove } from './approve.ts';
import { addClient } from './client.ts';
import { configOf } from './config-of.ts';
import { addInvite } from './invite.ts';
import { addKey } from './key.ts';
import { addSecret } from './secret.ts';
import { addTunnel } from './tunnel.ts';
import { addUnit } from './unit.ts';
import { addUser } from './user.ts';

const MOST_WORKERS = 256;

/** Returns `gamekeeper proxy` with its commands. Parsing throws CommanderError for wrong usage, StartupError for everything else. */
export function createProgram(): Command {
  const program = new Command('gamekeeper proxy')
    .description('Run the proxy that reaches Gamekeepers behind any router (docs/proxy.md)')
    .version(VERSION)
    .option('--home <dir>', 'The data directory (default: GAMEKEEPER_PROXY_HOME)')
    .option('--workers <count>', 'How many processes share the work, on PostgreSQL: one for each core', countOf, 1)
    .option('--edge', 'Let players connect through this proxy to servers behind any router (docs/proxy/players.md)')
    .exitOverride()
    .action(async ({ workers }: { workers: number }, command: Command) => {
      const config = configOf(command);
      // The server, which no command needs: loading it takes longer than most of them.
      const { run } = await import('./run.ts');
      return run(config, workers);
    });
  for (const add of [addUser, addInvite, addClient, addKey, addSecret, addApprove, addTunnel, addUnit]) add(program);
  return program;
}

function countOf(text: string): number {
  const count = Number(text);
  if (!/^\d{1,3}$/.test(text) || count < 1 || count > MOST_WORKERS)
    throw new InvalidArgumentError(`It must be a number from 1 to ${MOST_WORKERS}.`);
  return count;
}
