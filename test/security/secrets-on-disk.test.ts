/**
 * Passwords, codes, cookies and tokens are not written to any file, in particular not to logs (Panel 1.11.8: the password of a DELETE request
 * was logged), and files with secrets are readable by their owner only.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import type { CreatedToken } from '../../shared/schema/credentials.ts';
import type { CreatedUser } from '../../shared/schema/users.ts';
import { administrator, newUser, tryToSignIn } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const WRONG = 'a wrong but telling password';
const NEXT = 'the password that comes after';

t.test('no file contains a secret of a user or is readable by others', async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: { log: { level: 'trace' } } });
  const admin = await administrator(gamekeeper);
  await admin.ask('POST', '/instances', { name: 'Demo', software: 'demo' });
  const { token } = (await admin.ask<CreatedToken>('POST', '/api/tokens', { name: 'bot' })).body;
  const made = (await admin.ask<CreatedUser>('POST', '/api/users', { username: 'made', role: 'viewer' })).body;
  const user = await newUser(gamekeeper, admin, { username: 'ann', role: 'operator' });
  const begun = await user.ask<{ secret: string }>('POST', '/api/totp', { password: gamekeeper.password });
  const { secret } = begun.body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const codes = (await user.ask<{ recoveryCodes: string[] }>('POST', '/api/totp', { code })).body.recoveryCodes;
  await tryToSignIn(gamekeeper, { username: WRONG, password: WRONG, totp: codes[0] ?? '' });
  await tryToSignIn(gamekeeper, { username: 'ann', password: gamekeeper.password, totp: codes[1] ?? '' });
  await user.ask('PUT', '/api/password', { currentPassword: WRONG, newPassword: NEXT });
  await user.ask('POST', '/instances/demo/commands', { command: `/login ${WRONG}` });
  const ticket = await user.ask<{ ticket: string }>('POST', '/api/instances/demo/console-ticket');
  await user.ask('GET', `/ws/instances/demo/console?ticket=${ticket.body.ticket}`);
  await user.ask('DELETE', '/api/totp', { password: WRONG });
  await user.ask('DELETE', '/api/totp', { password: gamekeeper.password, nonsense: WRONG });
  await admin.ask('PATCH', '/api/users/made', { password: NEXT });
  await gamekeeper.endDaemon('SIGTERM');

  const files = readdirSync(gamekeeper.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  t.ok(files.some((file) => file.endsWith('.log')));
  const secrets = {
    'the password': gamekeeper.password,
    'a wrong password': WRONG,
    'a new password': NEXT,
    'a generated password': made.password ?? '',
    'a bearer token': token,
    'a cookie': user.cookie.slice('RemoteCookies='.length),
    'a ticket': ticket.body.ticket,
    ...Object.fromEntries(codes.map((one, index) => [`recovery code ${index}`, one])),
  };
  for (const file of files) {
    const content = readFileSync(file);
    for (const [what, text] of Object.entries(secrets))
      if (content.includes(text)) t.fail(`${what} is in ${file.slice(gamekeeper.home.length)}`);
    const holdsTheFactor = content.includes(secret);
    if (holdsTheFactor) t.match(file, /gamekeeper\.db(-wal)?$/, 'the seed of one-time codes is only in the database');
    if (holdsTheFactor || /gamekeeper\.db/.test(file))
      t.equal(statSync(file).mode & 0o077, 0, `${file} is its owner's`);
  }
  const printed = gamekeeper.output();
  for (const [what, text] of Object.entries(secrets)) t.notOk(printed.includes(text), `${what} was not printed`);
});
