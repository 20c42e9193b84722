import { type Command, InvalidArgumentError } from 'commander';
import { EVERY_INSTANCE, type Grant } from '../../../shared/domain/access/grant.ts';
import { generatePassword } from '../../../shared/node/generated-password.ts';
import type { CreatedUser, User } from '../../../shared/schema/users.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { askPassword, type PasswordSource } from '../terminal/ask-password.ts';
import { formatTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<User>[] = [
  { title: 'NAME', cell: ({ username }) => username },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'SERVERS', cell: ({ instances }) => instances.map(formatGrant).join(' ') || 'none' },
  { title: 'SECOND FACTOR', cell: ({ totp }) => (totp ? 'yes' : 'no') },
  { title: 'STATE', cell: stateOf },
  { title: 'SINCE', cell: ({ createdAt }) => (createdAt === undefined ? '' : formatTime(createdAt)) },
];

interface AddOptions extends PasswordSource {
  role: string;
  instance?: Grant[];
  generate?: boolean;
}

interface PasswdOptions extends PasswordSource {
  generate?: boolean;
  resetTotp?: boolean;
}

export function addUser(program: Command): void {
  const user = program.command('user').description('Manage the users of the panel');

  withPassword(withCommonOptions(user.command('add')))
    .description('Create a user')
    .argument('<username>', 'Letters, digits, dots, dashes, underscores, @')
    .option('--role <role>', 'admin, operator or viewer', 'viewer')
    .option(
      '--instance <id...>',
      'Only these servers, such as survival or survival:operator (default: all)',
      parseGrant,
    )
    .action(async (username: string, { role, instance, generate, ...source }: AddOptions, command: Command) => {
      const session = sessionOf(command);
      const password = generate ? undefined : await askPassword(source, `Password for ${username}`);
      const body = {
        username,
        role,
        ...(password !== undefined && { password }),
        ...(instance && { instances: instance }),
      };
      const created = (await session.api.request<CreatedUser>('POST', '/api/users', { body })).body;
      session.answer(created, (document) =>
        [`Created user "${document.username}" with the role ${document.role}.`, ...shownOnce(document.password)].join(
          '\n',
        ),
      );
    });

  withPassword(withCommonOptions(user.command('passwd')))
    .description('Set the password of a user and sign the user out everywhere')
    .argument('<username>')
    .option('--reset-totp', 'Also remove the second factor, if the app and the recovery codes are lost')
    .action(async (username: string, { generate, resetTotp, ...source }: PasswdOptions, command: Command) => {
      const session = sessionOf(command);
      const password = generate ? generatePassword() : await askPassword(source, `New password for ${username}`);
      const body = { password, mustChangePassword: generate ?? false, ...(resetTotp && { totp: false }) };
      const path = `/api/users/${encodeURIComponent(username)}`;
      const changed = (await session.api.request<User>('PATCH', path, { body })).body;
      session.answer({ ...changed, ...(generate && { password }) }, (document) =>
        [`Set a new password for "${document.username}".`, ...shownOnce(generate ? password : undefined)].join('\n'),
      );
    });

  withCommonOptions(user.command('list'))
    .description('List the users')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<User[]>('GET', '/api/users');
      session.answer(body, (users) => table(COLUMNS, users));
    });

  withCommonOptions(user.command('remove'))
    .description('Remove a user with all sessions and tokens')
    .argument('<username>')
    .action(async (username: string, _options, command: Command) => {
      const session = sessionOf(command);
      await session.api.request('DELETE', `/api/users/${encodeURIComponent(username)}`);
      session.answer({ success: true, message: `Removed user "${username}".` }, ({ message }) => message);
    });
}

function withPassword(command: Command): Command {
  return command
    .option('--password-stdin', 'Read the password from stdin (default: ask at the terminal)')
    .option('--generate', 'Generate a password, which is shown once and must be changed at the first sign-in');
}

function shownOnce(password: string | undefined): string[] {
  if (password === undefined) return [];
  return [`  password  ${password}`, 'The password is shown only once and must be changed at the first sign-in.'];
}

/** Parses `survival`, `survival:operator` or `survival:operator:read` and adds it to those before. The API checks ids, roles and rights. */
function parseGrant(text: string, before: Grant[] = []): Grant[] {
  const [id = '', role, files, ...rest] = text.split(':');
  if (id === '' || rest.length > 0)
    throw new InvalidArgumentError(
      'Use an id, an id and a role (survival:operator), or also a right to files (survival:operator:read).',
    );
  return [...before, role === undefined ? id : ({ id, role, ...(files !== undefined && { files }) } as Grant)];
}

function formatGrant(grant: Grant): string {
  if (grant === EVERY_INSTANCE) return 'all';
  if (typeof grant === 'string') return grant;
  return [grant.id, grant.role, ...(grant.files ? [grant.files] : [])].join(':');
}

function stateOf({ disabled, mustChangePassword }: User): string {
  if (disabled) return 'disabled';
  return mustChangePassword ? 'must change the password' : '';
}
