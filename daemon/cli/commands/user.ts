import { type Command, InvalidArgumentError } from 'commander';
import { EVERY_INSTANCE, type Grant, instanceOfGrant } from '../../../shared/domain/grant.ts';
import { generatePassword } from '../../../shared/node/generated-password.ts';
import type { CreatedUser, User } from '../../../shared/schema/users.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { askPassword, type PasswordSource } from '../terminal/ask-password.ts';
import { sayTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<User>[] = [
  { title: 'NAME', cell: ({ username }) => username },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'SERVERS', cell: ({ instances }) => instances.map(sayGrant).join(' ') || 'none' },
  { title: 'SECOND FACTOR', cell: ({ totp }) => (totp ? 'yes' : 'no') },
  { title: 'STATE', cell: stateOf },
  { title: 'SINCE', cell: ({ createdAt }) => (createdAt === undefined ? '' : sayTime(createdAt)) },
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
  const user = program.command('user').description('people who may sign in to the panel');

  withPassword(withCommonOptions(user.command('add')))
    .description('make a user')
    .argument('<username>', 'letters, digits, dots, dashes, underscores, @')
    .option('--role <role>', 'admin, operator or viewer', 'viewer')
    .option(
      '--instance <id...>',
      'only these servers, such as survival or survival:operator (default: all)',
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
        [`${document.username} may sign in, as ${document.role}.`, ...shownOnce(document.password)].join('\n'),
      );
    });

  withPassword(withCommonOptions(user.command('passwd')))
    .description('set the password of a user, who is signed out everywhere by that')
    .argument('<username>')
    .option('--reset-totp', 'take the second factor away as well, for who has lost the app and the recovery codes')
    .action(async (username: string, { generate, resetTotp, ...source }: PasswdOptions, command: Command) => {
      const session = sessionOf(command);
      const password = generate ? generatePassword() : await askPassword(source, `New password for ${username}`);
      const body = { password, mustChangePassword: generate ?? false, ...(resetTotp && { totp: false }) };
      const path = `/api/users/${encodeURIComponent(username)}`;
      const changed = (await session.api.request<User>('PATCH', path, { body })).body;
      session.answer({ ...changed, ...(generate && { password }) }, (document) =>
        [`${document.username} has a new password.`, ...shownOnce(generate ? password : undefined)].join('\n'),
      );
    });

  withCommonOptions(user.command('list'))
    .description('list who may sign in')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<User[]>('GET', '/api/users');
      session.answer(body, (users) => table(COLUMNS, users));
    });

  withCommonOptions(user.command('remove'))
    .description('remove a user, with every session and token')
    .argument('<username>')
    .action(async (username: string, _options, command: Command) => {
      const session = sessionOf(command);
      await session.api.request('DELETE', `/api/users/${encodeURIComponent(username)}`);
      session.answer({ success: true, message: `${username} is removed.` }, ({ message }) => message);
    });
}

function withPassword(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from stdin (default: ask for it on the terminal)')
    .option('--generate', 'make a password, shown once, which has to be changed at the first sign-in');
}

function shownOnce(password: string | undefined): string[] {
  if (password === undefined) return [];
  return [`  password  ${password}`, 'It is shown this once, and has to be changed at the first sign-in.'];
}

/** For commander, which gathers what is repeated: `survival`, or `survival:operator`. What exists and is allowed, the API says. */
function parseGrant(text: string, before: Grant[] = []): Grant[] {
  const [id = '', role, ...rest] = text.split(':');
  if (id === '' || rest.length > 0)
    throw new InvalidArgumentError('Write an id, or an id and a role: survival:operator.');
  // The API refuses roles that it does not know, naming those that it does.
  return [...before, role === undefined ? id : ({ id, role } as Grant)];
}

function sayGrant(grant: Grant): string {
  if (grant === EVERY_INSTANCE) return 'all';
  return typeof grant === 'string' ? grant : `${instanceOfGrant(grant)}:${grant.role}`;
}

function stateOf({ disabled, mustChangePassword }: User): string {
  if (disabled) return 'disabled';
  return mustChangePassword ? 'must change the password' : '';
}
