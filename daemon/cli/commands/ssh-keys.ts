import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { SshKey } from '../../../shared/schema/ssh-keys.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { formatTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<SshKey>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'LABEL', cell: ({ label }) => label },
  { title: 'TYPE', cell: ({ type }) => type },
  { title: 'FINGERPRINT', cell: ({ fingerprint }) => fingerprint },
  { title: 'ADDED', cell: ({ createdAt }) => formatTime(createdAt) },
];

/** The keys of a user for SFTP. */
export function addSshKeys(program: Command): void {
  const keys = program.command('ssh-keys').description('Manage the SSH keys with which users sign in by SFTP');
  const addressOf = (username: string, id = '') => {
    const query = new URLSearchParams({ username });
    return `/api/ssh-keys${id === '' ? '' : `/${encodeURIComponent(id)}`}?${query}`;
  };

  withCommonOptions(keys.command('ls'))
    .description('List the keys of a user')
    .argument('<user>')
    .action(async (user: string, _options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<SshKey[]>('GET', addressOf(user));
      session.answer(body, (found) => (found.length === 0 ? `"${user}" has no SSH keys.` : table(COLUMNS, found)));
    });

  withCommonOptions(keys.command('add'))
    .description('Let a user sign in with a key')
    .argument('<user>')
    .argument('<file>', 'Public key, such as ~/.ssh/id_ed25519.pub')
    .option('--label <label>', 'Where the key is, such as "laptop" (default: its comment)')
    .action(async (username: string, file: string, { label }: { label?: string }, command: Command) => {
      const session = sessionOf(command);
      const body = { username, publicKey: await readFile(file, 'utf8'), ...(label !== undefined && { label }) };
      const { body: added } = await session.api.request<SshKey>('POST', '/api/ssh-keys', { body });
      session.answer(added, ({ fingerprint }) => `Added ${fingerprint} for "${username}".`);
    });

  withCommonOptions(keys.command('rm'))
    .description('Remove a key; sessions that began with it end')
    .argument('<user>')
    .argument('<id>', 'See: gamekeeper ssh-keys ls')
    .action(async (user: string, id: string, _options, command: Command) => {
      const session = sessionOf(command);
      await session.api.request('DELETE', addressOf(user, id));
      session.answer({ success: true, message: `Removed the key ${id}.` }, ({ message }) => message);
    });
}
