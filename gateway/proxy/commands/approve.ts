import type { Command } from 'commander';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { approveDevice } from '../oauth/consent/approve-device.ts';
import { createProxy, noLinks } from '../proxy.ts';
import { configOf } from './config-of.ts';
import { issuerOf } from './issuer-of.ts';
import { withStore } from './with-store.ts';

export function addApprove(program: Command): void {
  program
    .command('approve')
    .description('Approve a code for an account, for scripts; people use the browser')
    .argument('<userCode>', 'As "gamekeeper link" shows it')
    .requiredOption('--user <name>', 'The account')
    .action(async (userCode: string, { user }: { user: string }, command: Command) => {
      const config = configOf(command);
      const issuer = await issuerOf(config);
      await withStore(config, async (store) => {
        const { oauth, accounts, daemons, grants } = await createProxy({
          issuer,
          ...store,
          linksOf: noLinks,
          now: Date.now,
        });
        const account = await accounts.findByName(user);
        if (!account) throw new StartupError(`There is no account "${user}".`);
        await approveDevice({ oauth, daemons, grants }, userCode, account);
      });
      process.stdout.write(`Approved ${userCode} for "${user}".\n`);
    });
}
