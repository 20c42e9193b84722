/**
 * Open sessions, sockets and streams end with the right to them: after a change of permissions or of the password, and after the end of the
 * account or token (Wings CVE-2025-68954 and GHSA-hr7j-63v7-vj7g: SFTP sessions stayed open; Panel CVE-2026-86177: revoked rights could
 * still be used in another way).
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import t, { type Test } from 'tap';
import type { CreatedToken } from '../../shared/schema/credentials.ts';
import { administrator, newUser, type PanelUser, tryToSignIn } from '../support/browser/panel-user.ts';
import { openConsole } from '../support/console/console-viewer.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

const POLICY_VIOLATION = 1008;

/** Opens a stream of events. */
async function events(t: Test, gamekeeper: Gamekeeper, headers: Record<string, string>) {
  const request = get(new URL('/events', gamekeeper.addresses().panel), { headers });
  request.on('error', () => undefined);
  t.teardown(() => request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  const ended = once(response, 'end');
  ended.catch(() => undefined);
  return { ended };
}

const statusOf = async (user: PanelUser, path = '/instances') => (await user.ask('GET', path)).status;

interface Context {
  gamekeeper: Gamekeeper;
  admin: PanelUser;
  /** Changes a user as the administrator. */
  change: (username: string, body: object) => ReturnType<PanelUser['ask']>;
  /** Opens a console and an event stream. */
  open: (t: Test, user: PanelUser) => Promise<Opened>;
}

interface Opened {
  console: Awaited<ReturnType<PanelUser['console']>>;
  /** Resolves to the close code of the console when both have ended. */
  ended: Promise<number>;
}

t.test('open connections end with the right to them', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const admin = await administrator(gamekeeper);
  const change = (username: string, body: object) => admin.ask('PATCH', `/api/users/${username}`, body);
  await admin.ask('POST', '/instances', { name: 'Demo', software: 'demo' });
  const open = async (t: Test, user: PanelUser) => {
    const [console, stream] = [await user.console('demo'), await events(t, gamekeeper, { cookie: user.cookie })];
    const ended = Promise.all([console.closed, stream.ended]).then(([code]) => code);
    // Streams that are still open at the end of the test reject.
    ended.catch(() => undefined);
    return { console, ended };
  };

  const context = { gamekeeper, admin, change, open };

  await t.test('when an administrator sets a new password', (t) => newPassword(t, context));

  await t.test('when the user changes the password in another browser', (t) => passwordChangedElsewhere(t, context));

  await t.test('when the user signs out everywhere', (t) => signedOutEverywhere(t, context));

  await t.test('a console stays open after a change to a lower role but accepts no commands', (t) =>
    lowerRole(t, context),
  );

  await t.test('when a grant is revoked', (t) => revokedGrant(t, context));

  await t.test('when a user is disabled or removed, also with their tokens', (t) => disabledOrRemovedUser(t, context));

  await t.test('when a token is revoked, or its creator is no longer an administrator', (t) =>
    revokedToken(t, context),
  );
});

async function newPassword(t: Test, { gamekeeper, admin, change, open }: Context): Promise<void> {
  const user = await newUser(gamekeeper, admin, { username: 'one', role: 'operator' });
  const { ended } = await open(t, user);
  t.equal((await change('one', { password: 'another password' })).status, 200);
  t.equal(await ended, POLICY_VIOLATION);
  t.equal(await statusOf(user), 401);
}

async function passwordChangedElsewhere(t: Test, { gamekeeper, admin, open }: Context): Promise<void> {
  const [here, there] = [
    await newUser(gamekeeper, admin, { username: 'two', role: 'operator' }),
    await tryToSignIn(gamekeeper, { username: 'two', password: gamekeeper.password }),
  ];
  const { ended } = await open(t, here);
  const cookie = there.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { panel: origin } = gamekeeper.addresses();
  const body = { currentPassword: gamekeeper.password, newPassword: 'another password' };
  t.equal((await gamekeeper.api('PUT', '/api/password', body, { cookie, origin })).status, 200);
  t.equal(await ended, POLICY_VIOLATION);
  t.equal(await statusOf(here), 401);
}

async function signedOutEverywhere(t: Test, { gamekeeper, admin, open }: Context): Promise<void> {
  const user = await newUser(gamekeeper, admin, { username: 'three', role: 'operator' });
  const other = await tryToSignIn(gamekeeper, { username: 'three', password: gamekeeper.password });
  const { ended } = await open(t, user);
  const cookie = other.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { panel: origin } = gamekeeper.addresses();
  const out = await gamekeeper.api('POST', '/api/logout', { everywhere: true }, { cookie, origin });
  t.equal(out.status, 204);
  t.equal(await ended, POLICY_VIOLATION);
  t.equal(await statusOf(user), 401);
}

async function lowerRole(t: Test, { gamekeeper, admin, change, open }: Context): Promise<void> {
  const user = await newUser(gamekeeper, admin, { username: 'four', role: 'operator' });
  const { console } = await open(t, user);
  t.equal((await change('four', { role: 'viewer' })).status, 200);
  console.send('say from a viewer');
  await console.waitFor(/\[gamekeeper\] not allowed/);
  t.equal((await user.ask('POST', '/instances/demo/start')).status, 403);
  t.equal((await user.ask('POST', '/instances/demo/backup')).status, 403);
  t.equal(await statusOf(user), 200);
}

async function revokedGrant(t: Test, { gamekeeper, admin, change, open }: Context): Promise<void> {
  const user = await newUser(gamekeeper, admin, { username: 'five', role: 'operator', instances: ['demo'] });
  const { console } = await open(t, user);
  t.equal((await change('five', { instances: [] })).status, 200);
  t.equal(await console.closed, POLICY_VIOLATION);
  t.equal(await statusOf(user, '/instances/demo'), 404);
  t.equal(await statusOf(user), 200, 'the session is still valid');
}

async function disabledOrRemovedUser(t: Test, { gamekeeper, admin, change, open }: Context): Promise<void> {
  for (const [username, end] of [
    ['six', () => change('six', { disabled: true })],
    ['seven', () => admin.ask('DELETE', '/api/users/seven')],
  ] as const) {
    const user = await newUser(gamekeeper, admin, { username, role: 'admin' });
    const token = (await user.ask<CreatedToken>('POST', '/api/tokens', { name: 'bot' })).body.token;
    const authorization = `Bearer ${token}`;
    const { ended } = await open(t, user);
    const url = `${gamekeeper.addresses().panel.replace(/^http/, 'ws')}/ws/instances/demo/console`;
    const viewer = await openConsole(url, { authorization });
    const stream = await events(t, gamekeeper, { authorization });
    t.ok((await end()).status < 300);
    t.equal(await ended, POLICY_VIOLATION, `${username}: what the session opened`);
    t.equal(await viewer.closed, POLICY_VIOLATION, `${username}: what the token opened`);
    await stream.ended;
    t.equal(await statusOf(user), 401);
    t.equal((await gamekeeper.api('GET', '/instances', undefined, { authorization })).status, 401);
    const again = await tryToSignIn(gamekeeper, { username, password: gamekeeper.password });
    t.equal(again.body.code, 'unauthenticated');
  }
}

async function revokedToken(t: Test, { gamekeeper, admin, change }: Context): Promise<void> {
  const user = await newUser(gamekeeper, admin, { username: 'eight', role: 'admin' });
  const [first, second] = [
    (await user.ask<CreatedToken>('POST', '/api/tokens', { name: 'first' })).body,
    (await user.ask<CreatedToken>('POST', '/api/tokens', { name: 'second' })).body,
  ];
  const stream = await events(t, gamekeeper, { authorization: `Bearer ${first.token}` });
  t.equal((await admin.ask('DELETE', `/api/tokens/${first.id}`)).status, 204);
  await stream.ended;
  const withSecond = (method: string, path: string, body?: object) =>
    gamekeeper.api(method, path, body, { authorization: `Bearer ${second.token}` });
  const launch = { name: 'Mine', software: 'custom', launch: { command: ['/bin/true'] } };
  t.equal(
    (await withSecond('POST', '/instances', launch)).status,
    201,
    "the administrator's token may set a launch command",
  );
  t.equal((await change('eight', { role: 'operator', instances: ['demo'] })).status, 200);
  t.equal((await withSecond('POST', '/instances', { ...launch, name: 'More' })).status, 403);
  t.equal((await withSecond('GET', '/instances/mine')).status, 404);
  t.match((await withSecond('GET', '/instances')).body, [{ id: 'demo' }]);
  t.equal((await withSecond('POST', '/instances/demo/restart')).status, 200);
  t.equal((await change('eight', { role: 'viewer' })).status, 200);
  t.equal((await withSecond('POST', '/instances/demo/kill')).status, 403);
}
