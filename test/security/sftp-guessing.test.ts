/** Guesses of passwords by SFTP count together with those of the panel, are recorded, and tell nothing about who has an account. */
import t from 'tap';
import { administrator, newUser, tryToSignIn } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';
import { connectSsh } from '../support/sftp/ssh-client.ts';

const gamekeeper = await startGamekeeper(t);
const { password } = gamekeeper;
const admin = await administrator(gamekeeper);
await newUser(gamekeeper, admin, { username: 'anna', role: 'operator' });
const { port } = await openSsh(t, gamekeeper);

/** Resolves to the methods that the server offers after a wrong password. */
async function methodsFor(username: string): Promise<unknown> {
  let offered: unknown;
  const guess = connectSsh(t, port, {
    username,
    authHandler: (left, _partial, next) => {
      offered ??= left;
      next(left === null ? { type: 'none', username } : (false as never));
    },
  });
  await t.rejects(guess);
  return offered;
}

t.test('everybody is offered the same methods', async (t) => {
  const ofNobody = await methodsFor('nobody');
  t.same(ofNobody, ['publickey', 'keyboard-interactive', 'password']);
  t.same(await methodsFor('admin'), ofNobody);
});

t.test('guesses by SFTP and in the panel count together', async (t) => {
  for (let count = 0; count < 3; count++) await t.rejects(connectSsh(t, port, { username: 'anna', password: 'guess' }));
  for (let count = 0; count < 2; count++) await tryToSignIn(gamekeeper, { username: 'anna', password: 'guess' });
  await t.rejects(connectSsh(t, port, { username: 'anna', password }), 'the right one is not checked');
  t.equal((await tryToSignIn(gamekeeper, { username: 'anna', password })).status, 429);
  const { client } = await connectSsh(t, port, { username: 'admin', password });
  client.end();
});

t.test('failures are recorded, without names that are no users', async (t) => {
  await t.rejects(connectSsh(t, port, { username: 'my-password-typed-here', password: 'x' }));
  const { body } = await admin.ask<{ entries: { who: string; path: string; method: string; status: number }[] }>(
    'GET',
    '/api/audit',
  );
  const recorded = body.entries.filter(({ method }) => method === 'SFTP').map(({ who, status }) => `${who} ${status}`);
  t.equal(recorded[0], 'unknown user 401');
  t.ok(recorded.includes('admin 200'));
  t.equal(recorded.filter((entry) => entry === 'anna 401').length, 3, 'what was not checked is not recorded');
});

t.test('a connection has six tries', async (t) => {
  let tries = 0;
  await t.rejects(
    connectSsh(t, port, {
      username: 'nobody',
      authHandler: (_left, _partial, next) =>
        next({ type: 'password', username: 'nobody', password: `guess ${++tries}` }),
    }),
  );
  t.equal(tries, 6);
});
