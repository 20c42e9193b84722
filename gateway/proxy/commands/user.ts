import type { Command } from 'commander';
import { username } from '../../../shared/schema/users.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { COMMAND_LINE, createAudit } from '../accounts/audit.ts';
import { configOf } from './config-of.ts';
import { hashFromStdin, wrongUsage } from './password-from-stdin.ts';
import { addUserAdministration } from './user-administration.ts';
import { withStore } from './with-store.ts';

interface AddOptions {
  passwordStdin?: boolean;
  admin?: boolean;
}

export function addUser(program: Command): void {
  const user = program.command('user').description('Manage the accounts');
  user
    .command('add')
    .description('Create an account')
    .argument('<name>', 'Letters, digits, dots, dashes, underscores, @')
    .option('--password-stdin', 'Read the password from stdin')
    .option('--admin', 'May manage the proxy')
    .action(async (name: string, { passwordStdin, admin = false }: AddOptions, command: Command) => {
      const config = configOf(command);
      const checked = username.safeParse(name);
      if (!checked.success) throw wrongUsage(`The name ${checked.error.issues[0]?.message}.`);
      const passwordHash = await hashFromStdin('add', passwordStdin);
      await withStore(config, async ({ database }) => {
        const account = await createAccounts(database, Date.now).add({ name, passwordHash, isAdmin: admin });
        await createAudit(database, Date.now).record({ account, action: 'account.created', actor: COMMAND_LINE });
      });
      process.stdout.write(`Created the account "${name}".\n`);
    });
  addUserAdministration(user);
}
