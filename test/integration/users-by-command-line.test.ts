/** Users that the command line creates, as the API serves them. */
import t from 'tap';
import type { CreatedUser, User } from '../../shared/schema/users.ts';
import { signIn, tryToSignIn } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('a user created by the command line can sign in, sees the granted servers, and can be removed', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  for (const name of ['One', 'Two']) await gamekeeper.api('POST', '/instances', { name, software: 'demo' });
  const cli = async <T>(...args: string[]) => {
    const { code, stdout, stderr } = await gamekeeper.cli('user', ...args, '--json');
    t.equal(code, 0, stderr);
    return JSON.parse(stdout) as T;
  };

  const made = await cli<CreatedUser>('add', 'ann', '--role', 'viewer', '--instance', 'one:operator', '--generate');
  t.match(made, { username: 'ann', instances: [{ id: 'one', role: 'operator' }], mustChangePassword: true });
  const { password = '' } = made;
  const first = await signIn(gamekeeper, { username: 'ann', password });
  t.equal((await first.ask<{ code: string }>('GET', '/instances')).body.code, 'password_change_required');
  const chosen = { currentPassword: password, newPassword: 'one of my own' };
  t.equal((await first.ask('PUT', '/api/password', chosen)).status, 200);

  const ann = await signIn(gamekeeper, { username: 'ANN', password: 'one of my own' });
  t.match((await ann.ask('GET', '/instances')).body, [{ id: 'one' }]);
  t.equal((await ann.ask('POST', '/instances/one/start')).status, 200);
  t.equal((await ann.ask('POST', '/instances/two/start')).status, 404);
  t.match(
    (await cli<User[]>('list')).map(({ username }) => username),
    ['admin', 'ann'],
  );

  await cli('passwd', 'ann', '--generate');
  t.equal((await ann.ask('GET', '/instances')).status, 401, 'signed out by the new password');
  const last = await gamekeeper.cli('user', 'remove', 'admin');
  t.equal(last.code, 1);
  t.match(
    last.stderr,
    /^The last administrator: "admin" is the only administrator who can sign in\.\nMake another user/,
  );
  await cli('remove', 'ann');
  t.equal((await tryToSignIn(gamekeeper, { username: 'ann', password: 'one of my own' })).body.code, 'unauthenticated');

  const { body } = await gamekeeper.api<{ entries: { who: string; path: string }[] }>(
    'GET',
    '/api/audit?who=command%20line',
    undefined,
    { cookie: await gamekeeper.login() },
  );
  t.match(body.entries, [
    { who: 'command line', path: '/api/users/ann' },
    { who: 'command line', path: '/api/users/admin' },
    { who: 'command line', path: '/api/users/ann' },
    { who: 'command line', path: '/api/users' },
  ]);
});
