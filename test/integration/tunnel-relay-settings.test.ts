/** What the proxy says to a server's wish is the answer to the setting: a real proxy and a real Gamekeeper that is linked to it. */
import t from 'tap';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy } from '../support/proxy/linked-daemon.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';
import { SUFFIX, startPlayerProxy } from '../support/proxy/player-proxy.ts';

const set = ({ api }: Gamekeeper, id: string, document: object) =>
  api('PUT', `/instances/${id}/tunnel/settings`, document);
const stored = async ({ api }: Gamekeeper, id: string) => (await api('GET', `/instances/${id}/tunnel/settings`)).body;

t.test('a proxy that relays players', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { world } = await startPlayerProxy(t);
  for (const name of ['Demo', 'Other']) await gamekeeper.api('POST', '/instances', { name, software: 'demo' });
  const friends = { provider: 'relay', hostname: 'friends' };

  t.match(await set(gamekeeper, 'demo', friends), { status: 200 }, 'kept until the computer is linked');
  await linkToProxy(t, gamekeeper, world);
  t.match(await set(gamekeeper, 'demo', friends), { status: 200 });
  const list = async () => (await world.proxy.command(['tunnel', 'list'])).stdout;
  t.match(await list(), new RegExp(`friends\\.${SUFFIX}`), 'the name is taken although the server is stopped');

  t.match(await set(gamekeeper, 'other', { provider: 'relay', hostname: 'lobby' }), { status: 200 });
  t.match(await set(gamekeeper, 'other', friends), {
    status: 422,
    body: { detail: /friends\.play\.localhost is taken/ },
  });
  t.match(await stored(gamekeeper, 'other'), { provider: 'relay', hostname: 'lobby' }, 'the former stays');

  await world.proxy.end('SIGKILL');
  t.match(await set(gamekeeper, 'other', friends), { status: 200 }, 'kept while the proxy cannot be reached');
  t.match(await stored(gamekeeper, 'other'), friends);
});

t.test('a proxy that does not', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  await linkToProxy(t, gamekeeper, await oauthWorld(t));
  t.match(await set(gamekeeper, 'demo', { provider: 'relay' }), { status: 422, body: { detail: /does not relay/ } });
  t.match(await stored(gamekeeper, 'demo'), { provider: null });
});
