import type { Command } from 'commander';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import {
  type AccountSummary,
  type Administration,
  createAdministration,
} from '../accounts/administration/administration.ts';
import { type AuditAction, COMMAND_LINE, createAudit } from '../accounts/audit.ts';
import { configOf } from './config-of.ts';
import { hashFromStdin } from './password-from-stdin.ts';
import { withStore } from './with-store.ts';

interface ResetOptions {
  passwordStdin?: boolean;
  removeSecondFactor?: boolean;
}

/** Adds the commands that change accounts of others. They work whether the proxy runs or not. */
export function addUserAdministration(user: Command): void {
  user
    .command('list')
    .description('List the accounts')
    .option('--json', 'Print JSON')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const accounts = await withStore(configOf(command), ({ database }) =>
        createAdministration(database, Date.now).list(),
      );
      process.stdout.write(`${json ? JSON.stringify(accounts) : describe(accounts)}\n`);
    });

  const simple = (name: 'remove' | 'disable' | 'enable', description: string, done: string, action: AuditAction) =>
    user
      .command(name)
      .description(description)
      .argument('<name>', 'The account')
      .action(async (account: string, _options, command: Command) => {
        await change(command, account, action, (administration, id) => administration[name](id));
        process.stdout.write(`${done.replaceAll('%', `"${account}"`)}\n`);
      });
  simple(
    'remove',
    'Delete an account with its computers, and end the access of its programs',
    'Deleted the account %.',
    'account.removed',
  );
  simple(
    'disable',
    'Sign an account out, and disconnect its computers and programs until it is enabled',
    'Disabled the account %. To undo this: gamekeeper proxy user enable %',
    'account.disabled',
  );
  simple('enable', 'Let a disabled account in again', 'Enabled the account %.', 'account.enabled');

  user
    .command('reset-password')
    .description('Set a new password for somebody who forgot theirs, and sign them out everywhere')
    .argument('<name>', 'The account')
    .option('--password-stdin', 'Read the password from stdin')
    .option('--remove-second-factor', 'They have lost their authenticator app and their recovery codes as well')
    .action(async (name: string, { passwordStdin, removeSecondFactor = false }: ResetOptions, command: Command) => {
      const passwordHash = await hashFromStdin('reset-password', passwordStdin);
      await change(command, name, 'password.reset', (administration, id) =>
        administration.resetPassword(id, { passwordHash, removeSecondFactor }),
      );
      process.stdout.write(`Set a new password for "${name}".\n`);
    });
}

async function change(
  command: Command,
  name: string,
  action: AuditAction,
  act: (administration: Administration, id: string) => Promise<boolean>,
): Promise<void> {
  await withStore(configOf(command), async ({ database }) => {
    const administration = createAdministration(database, Date.now);
    const account = await administration.findByName(name);
    if (!account || !(await act(administration, account.id)))
      throw new StartupError(`There is no account "${name}".\nList them with: gamekeeper proxy user list`);
    await createAudit(database, Date.now).record({ account, action, actor: COMMAND_LINE });
  });
}

function describe(accounts: readonly AccountSummary[]): string {
  if (accounts.length === 0)
    return 'There are no accounts. Add one with: gamekeeper proxy user add <name> --password-stdin';
  const rows = accounts.map(({ name, isAdmin, isDisabled, daemons, seenAt }) => [
    name,
    isAdmin ? 'administrator' : '',
    isDisabled ? 'disabled' : '',
    `${daemons} ${daemons === 1 ? 'computer' : 'computers'}`,
    seenAt ? `seen ${seenAt.toISOString().slice(0, 10)}` : '',
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => (widths[column] === 0 ? '' : `${cell.padEnd(widths[column] ?? 0)}  `))
      .join('')
      .trimEnd();
  return rows.map(line).join('\n');
}
