import t from 'tap';
import { isProblem } from '../../support/http/problem.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { SKIN, TEXTURE } from '../../support/stand-ins/jobs-answers.ts';

const ALLOWED = { settings: { players: { skins: true } } };

t.test('a skin is a picture that browsers keep and never take for anything else', async (t) => {
  const { app, bearer } = await build(t, ALLOWED);
  const headers = await bearer(['servers:read']);
  const list = await app.inject({ url: '/instances/demo/skins', headers });
  t.same(list.json(), { enabled: true, players: [{ name: 'Alice', texture: TEXTURE }], pending: false });
  const skin = await app.inject({ url: `/instances/demo/skins/${TEXTURE}`, headers });
  t.same(skin.rawPayload, SKIN);
  t.match(skin.headers, {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=604800, immutable',
  });
});

t.test('only the skins of players whom the server knows, for those who may see the server', async (t) => {
  const { app, bearer, cookie, addUser, supervisor, clock } = await build(t, ALLOWED);
  await addUser('guest', 'viewer', { instances: [] });
  await addUser('viewer', 'viewer', { instances: ['demo'] });
  const url = `/instances/demo/skins/${TEXTURE}`;
  for (const place of [url, '/instances/demo/skins']) {
    isProblem(t, await app.inject({ url: place, headers: await cookie('guest') }), 'instance_not_found');
    isProblem(t, await app.inject({ url: place }), 'unauthenticated');
  }
  t.equal((await app.inject({ url, headers: await cookie('viewer') })).statusCode, 200);
  const headers = await bearer();
  isProblem(t, await app.inject({ url: `${url.slice(0, -1)}d`, headers }), 'player_not_found');
  supervisor.accounts = async () => [];
  clock.ahead = 3_000;
  isProblem(t, await app.inject({ url, headers }), 'player_not_found');
});

t.test('while it is not allowed neither the supervisor nor the jobs process is asked', async (t) => {
  const { app, bearer, supervisor, jobs } = await build(t);
  const fail = () => {
    throw new Error('asked');
  };
  Object.assign(supervisor, { accounts: fail });
  Object.assign(jobs, { skins: fail, skin: fail });
  const headers = await bearer();
  const list = await app.inject({ url: '/instances/demo/skins', headers });
  t.same(list.json(), { enabled: false, players: [], pending: false });
  isProblem(t, await app.inject({ url: `/instances/demo/skins/${TEXTURE}`, headers }), 'player_not_found');
});

t.test('the pictures of a page ask for the players once', async (t) => {
  const { app, bearer, supervisor, clock } = await build(t, ALLOWED);
  const headers = await bearer();
  const { accounts } = supervisor;
  let asked = 0;
  supervisor.accounts = () => {
    asked++;
    return accounts();
  };
  const url = `/instances/demo/skins/${TEXTURE}`;
  await Promise.all(Array.from({ length: 50 }, () => app.inject({ url, headers })));
  t.equal(asked, 1);
  clock.ahead = 3_000;
  await app.inject({ url, headers });
  t.equal(asked, 2);
});
