/**
 * Old credentials win no race: while a sign-in, a change of the password or a slow request is under way, the password is reset, the user is
 * disabled or the second factor is turned on. No session, token, ticket or password of the old credential survives, in whatever order the
 * daemon gets the two.
 */
import { connect } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import t, { type Test } from 'tap';
import { administrator, newUser, type PanelUser, signIn, tryToSignIn } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const NEW_PASSWORD = 'set by the administrator';
const STOLEN_PASSWORD = 'set by the thief';

const gamekeeper = await startGamekeeper(t);
const admin = await administrator(gamekeeper);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const { password } = gamekeeper;
const change = (username: string, body: object) => admin.ask('PATCH', `/api/users/${username}`, body);
const passwordIs = async (username: string, candidate: string) =>
  (await tryToSignIn(gamekeeper, { username, password: candidate })).status === 200;

/** Starts a sign-in that waits behind other passwords. Resolves once its user has been read. */
async function beginSignIn(username: string) {
  const others = Array.from({ length: 4 }, (_, n) =>
    tryToSignIn(gamekeeper, { username: `nobody-${n}`, password: 'a guess' }),
  );
  const signingIn = tryToSignIn(gamekeeper, { username, password });
  await admin.ask('GET', '/api/users');
  return { signedIn: Promise.all([signingIn, ...others]).then(([answer]) => answer) };
}

async function statusOf(cookie: string | undefined): Promise<number> {
  return (await gamekeeper.api('GET', '/instances', undefined, { cookie: cookie ?? '' })).status;
}

const cookieIn = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0];

/** Sends the headers of a request. `finish` sends its body, and resolves to the answer's status. */
async function slowRequest(t: Test, { cookie }: PanelUser, { method, path, body }: SlowRequest) {
  const { host, hostname, port, origin } = new URL(gamekeeper.addresses().panel);
  const content = JSON.stringify(body);
  const socket = connect({ host: hostname, port: Number(port) });
  t.teardown(() => socket.destroy());
  socket.setEncoding('utf8');
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...[`Host: ${host}`, `Origin: ${origin}`, `Cookie: ${cookie}`, 'Content-Type: application/json'],
    ...[`Content-Length: ${Buffer.byteLength(content)}`, 'Connection: close'],
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await admin.ask('GET', '/api/users');
  return {
    async finish() {
      let text = '';
      socket.on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write(content);
      await new Promise((resolve) => socket.once('close', resolve));
      return Number(text.split(' ')[1]);
    },
  };
}

interface SlowRequest {
  method: string;
  path: string;
  body: object;
}

t.test('a sign-in that began before the password was reset opens no session', async (t) => {
  await newUser(gamekeeper, admin, { username: 'ann', role: 'viewer' });
  const { signedIn } = await beginSignIn('ann');
  t.equal((await change('ann', { password: NEW_PASSWORD })).status, 200);
  const answer = await signedIn;
  t.equal(await statusOf(cookieIn(answer)), 401, `the sign-in was answered with ${answer.status}`);
  t.ok(await passwordIs('ann', NEW_PASSWORD));
});

t.test('nor one that began before the user was disabled, got another role, or was replaced', async (t) => {
  for (const [username, end] of [
    ['disabled', () => change('disabled', { disabled: true })],
    ['demoted', () => change('demoted', { role: 'viewer' })],
    ['replaced', () => admin.ask('DELETE', '/api/users/replaced')],
  ] as const) {
    await newUser(gamekeeper, admin, { username, role: 'operator' });
    const { signedIn } = await beginSignIn(username);
    t.ok((await end()).status < 300);
    if (username === 'disabled') await change(username, { disabled: false });
    if (username === 'replaced')
      await admin.ask('POST', '/api/users', { username, role: 'operator', password: NEW_PASSWORD });
    const answer = await signedIn;
    t.equal(answer.status, 401, username);
    t.equal(await statusOf(cookieIn(answer)), 401, username);
  }
});

t.test('nor one that began before the second factor was turned on', async (t) => {
  const careful = await newUser(gamekeeper, admin, { username: 'careful', role: 'viewer' });
  const begun = await careful.ask<{ secret: string }>('POST', '/api/totp', { password });
  const code = new TOTP({ secret: Secret.fromBase32(begun.body.secret) }).generate();
  const { signedIn } = await beginSignIn('careful');
  t.equal((await careful.ask('POST', '/api/totp', { code })).status, 200);
  t.equal(await statusOf(careful.cookie), 200, 'the session that turned it on stays');
  const answer = await signedIn;
  t.equal(await statusOf(cookieIn(answer)), 401, `the sign-in was answered with ${answer.status}`);
});

t.test("changing the password in a loop does not undo the administrator's reset", async (t) => {
  const thief = await newUser(gamekeeper, admin, { username: 'stolen', role: 'viewer' });
  const request = { currentPassword: password, newPassword: STOLEN_PASSWORD };
  const changing = thief.ask('PUT', '/api/password', request);
  await admin.ask('GET', '/api/users');
  t.equal((await change('stolen', { password: NEW_PASSWORD })).status, 200);
  const answer = await changing;
  t.equal(await statusOf(cookieIn(answer)), 401, `the change was answered with ${answer.status}`);
  t.notOk(await passwordIs('stolen', STOLEN_PASSWORD));
  t.ok(await passwordIs('stolen', NEW_PASSWORD));
});

t.test('a password entered for a second factor does not count once it was reset', async (t) => {
  const user = await newUser(gamekeeper, admin, { username: 'factor', role: 'viewer' });
  const begun = user.ask('POST', '/api/totp', { password });
  await change('factor', { disabled: true });
  await change('factor', { disabled: false });
  t.equal((await begun).status, 401);
});

t.test('a request whose body arrives after its session has ended changes nothing', async (t) => {
  const requests: SlowRequest[] = [
    { method: 'POST', path: '/api/tokens', body: { name: 'kept' } },
    { method: 'POST', path: '/api/users', body: { username: 'kept', role: 'admin', password: STOLEN_PASSWORD } },
    { method: 'PATCH', path: '/api/users/ann', body: { role: 'admin' } },
    {
      method: 'POST',
      path: '/instances',
      body: { name: 'Kept', software: 'custom', launch: { command: ['/bin/true'] } },
    },
    { method: 'PUT', path: '/api/settings', body: { limits: { burst: 1 } } },
    { method: 'POST', path: '/api/instances/demo/console-ticket', body: {} },
    { method: 'POST', path: '/api/totp', body: { password } },
  ];
  const former = await newUser(gamekeeper, admin, { username: 'former', role: 'admin' });
  const slow = await Promise.all(requests.map((request) => slowRequest(t, former, request)));
  const demoted = await newUser(gamekeeper, admin, { username: 'lowered', role: 'admin' });
  const ofDemoted = await slowRequest(t, demoted, requests[3]!);
  t.equal((await change('former', { password: NEW_PASSWORD })).status, 200);
  t.equal((await change('lowered', { role: 'viewer' })).status, 200);
  for (const [index, { finish }] of slow.entries())
    t.equal(await finish(), 401, `${requests[index]?.method} ${requests[index]?.path}`);
  t.equal(await ofDemoted.finish(), 403, 'nor with a role that the user no longer has');
  t.notMatch((await admin.ask('GET', '/api/tokens')).body, [{ name: 'kept' }]);
  t.equal((await gamekeeper.api('GET', '/instances/kept')).status, 404);
});

t.test('signing out ends the session of a request under way as well', async (t) => {
  const user = await newUser(gamekeeper, admin, { username: 'leaving', role: 'admin' });
  const other = await signIn(gamekeeper, { username: 'leaving', password });
  const slow = await slowRequest(t, user, { method: 'POST', path: '/api/tokens', body: { name: 'kept' } });
  t.equal((await user.ask('POST', '/api/logout')).status, 204);
  t.equal(await slow.finish(), 401);
  t.equal(await statusOf(other.cookie), 200, 'other sessions go on');
});
