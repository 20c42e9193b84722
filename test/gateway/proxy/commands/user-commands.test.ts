/** Accounts managed on the proxy's machine, while the proxy runs. */
import { performServerHandshake } from 'node:http2';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { WebSocketDuplex } from '../../../../shared/node/link/web-socket-duplex.ts';
import { until } from '../../../support/machine/until.ts';
import { type LinkedDaemon, type OauthWorld, oauthWorld } from '../../../support/proxy/oauth-world.ts';
import { PASSWORD } from '../../../support/proxy/proxy-process.ts';

const ENDED_WITHIN_MS = 1_000;

/** Connects a daemon that answers nothing. Resolves when requests reach it. */
async function connect(t: Test, { proxy }: OauthWorld, daemon: LinkedDaemon, accessToken: string): Promise<WebSocket> {
  const socket = new WebSocket(`${proxy.url.replace('http', 'ws')}/link/${daemon.daemonId}`, 'gamekeeper-link.1', {
    headers: { authorization: `Bearer ${await daemon.token()}` },
    perMessageDeflate: false,
  });
  t.teardown(() => socket.terminate());
  socket.on('error', () => undefined);
  socket.once('open', () => {
    const session = performServerHandshake(new WebSocketDuplex(socket), { settings: { enableConnectProtocol: true } });
    session.on('error', () => undefined);
    session.on('stream', (stream) => {
      stream.respond({ ':status': 204 });
      stream.end();
    });
  });
  await until('the link is open', async () => (await relayed({ proxy }, daemon, accessToken)) === 204);
  return socket;
}

async function relayed({ proxy }: Pick<OauthWorld, 'proxy'>, { daemonId }: LinkedDaemon, token: string) {
  const response = await fetch(`${proxy.url}/d/${daemonId}/instances`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  return response.status;
}

for (const command of ['remove', 'disable'] as const)
  t.test(`"user ${command}" ends sessions, tokens and links within a second`, async (t) => {
    const world = await oauthWorld(t);
    const { proxy } = world;
    const [daemon, kept] = [await world.link('anna'), await world.link('ben')];
    const anna = await world.browser('anna');
    const ben = await world.browser('ben');
    const tokens = await world.tokens(anna, [daemon.daemonId]);
    const another = await world.link('anna', 'Cellar');
    const apiTokens = await world.tokens(anna, [daemon.daemonId, another.daemonId]);
    const keptTokens = await world.tokens(ben, [kept.daemonId]);
    const socket = await connect(t, world, daemon, tokens.access_token);
    const keptSocket = await connect(t, world, kept, keptTokens.access_token);
    const closed = new Promise((resolve) => socket.once('close', resolve));

    t.match(await proxy.command(['user', command, 'Anna']), { code: 0, stderr: '' });
    const done = performance.now();
    await closed;
    t.ok(performance.now() - done < ENDED_WITHIN_MS, `closed after ${performance.now() - done} ms`);
    t.equal((await anna.open('/account')).url.pathname, '/sign-in');
    t.equal(await relayed(world, daemon, tokens.access_token), 401);
    const refreshed = await fetch(`${proxy.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: world.authorization },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }),
    });
    t.match(await refreshed.json(), { error: 'invalid_grant' });
    const api = await fetch(`${proxy.url}/api/daemons`, {
      headers: { authorization: `Bearer ${apiTokens.access_token}` },
    });
    t.equal(api.status, 401, 'the API of the proxy');
    const signIn = { name: 'anna', password: PASSWORD };
    t.equal((await anna.submit(await anna.open('/account'), '/sign-in', signIn)).status, 401);
    t.equal(keptSocket.readyState, WebSocket.OPEN, 'others stay connected');
    t.equal(await relayed(world, kept, keptTokens.access_token), 204);

    const asked = await fetch(`${proxy.url}/api/daemons/${daemon.daemonId}/grants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await daemon.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ grantIds: ['any'] }),
    });
    // A daemon that is not known any more forgets all its grants.
    t.match(await asked.json(), { code: command === 'remove' ? 'daemon_unknown' : 'unauthenticated' });

    if (command === 'disable') {
      t.match(await proxy.command(['user', 'enable', 'anna']), { code: 0 });
      t.match((await anna.submit(await anna.open('/account'), '/sign-in', signIn)).text, /Signed in as/);
      await connect(t, world, daemon, tokens.access_token);
    }
  });

t.test('accounts are listed, and get a new password', async (t) => {
  const { proxy, ...world } = await oauthWorld(t);
  await world.link('anna');
  const listed = await proxy.command(['user', 'list', '--json']);
  t.match(JSON.parse(listed.stdout), [
    { name: 'anna', isAdmin: false, isDisabled: false, daemons: 1 },
    { name: 'ben', daemons: 0 },
  ]);
  t.match((await proxy.command(['user', 'list'])).stdout, /^anna +1 computer\nben +0 computers\n$/);
  const json = async (...words: string[]) => JSON.parse((await proxy.command([...words, '--json'])).stdout);
  t.same(await json('tunnel', 'list'), []);
  const { id, link } = await json('invite', '--note', 'Ben');
  const invited = await json('invite', 'list');
  t.match(invited, [{ id, note: 'Ben', isAdmin: false }]);
  t.notMatch(JSON.stringify(invited), new URL(link).pathname.split('/').at(-1), 'the link is shown once');
  t.match(await json('key', 'list'), [
    { purpose: 'signing', state: 'signing' },
    { purpose: 'cookies', state: 'signing' },
  ]);

  const browser = await world.browser('anna');
  const reset = ['user', 'reset-password', 'anna', '--password-stdin'];
  t.match(await proxy.command(reset, 'short'), { code: 2, stderr: /8 to 256/ });
  t.match(await proxy.command(reset, 'a whole new password\n'), { code: 0 });
  t.equal((await browser.open('/account')).url.pathname, '/sign-in', 'signed out');
  const submit = async (password: string) =>
    (await browser.submit(await browser.open('/sign-in'), '/sign-in', { name: 'anna', password })).status;
  t.equal(await submit(PASSWORD), 401);
  t.equal(await submit('a whole new password'), 200);
  for (const command of ['remove', 'disable', 'enable'])
    t.match(await proxy.command(['user', command, 'nobody']), { code: 1, stderr: /no account "nobody"/ });
});
