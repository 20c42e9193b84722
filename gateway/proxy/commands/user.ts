import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { hashPassword } from '../../../shared/node/passwords/password-hash.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { password as passwordRule } from '../../../shared/schema/credentials.ts';
import { username } from '../../../shared/schema/users.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { StartupError } from '../startup-error.ts';
import { configOf } from './config-of.ts';
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
      if (!passwordStdin)
        throw wrongUsage('Send the password on stdin: gamekeeper proxy user add <name> --password-stdin < file');
      const password = (await text(process.stdin)).replace(/\r?\n$/, '');
      if (!passwordRule.safeParse(password).success) throw wrongUsage('The password must have 8 to 256 characters.');
      const passwordHash = await hashPassword(password);
      await withStore(config, ({ database }) =>
        createAccounts(database, Date.now).add({ name, passwordHash, isAdmin: admin }),
      );
      process.stdout.write(`Created the account "${name}".\n`);
    });
}

function wrongUsage(message: string): StartupError {
  return new StartupError(message, { exitCode: EXIT.usage });
}
