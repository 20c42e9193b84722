import t, { type Test } from 'tap';
import { isProblem } from '../../support/http/problem.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { SKIN, TEXTURE } from '../../support/stand-ins/jobs-answers.ts';

const ALLOWED = { settings: { players: { skins: true } } };

/** Stops the monotonic clock. Returns a function that moves it forward, in milliseconds. */
function stopClock(t: Test): (ms: number) => void {
  let at = performance.now();
  t.intercept(performance, 'now', { value: () => at });
  return (ms) => {
    at += ms;
  };
}

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
  const { app, bearer, cookie, addUser, supervisor } = await build(t, ALLOWED);
  const wait = stopClock(t);
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
  wait(3_000);
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
  const wait = stopClock(t);
  const headers = await bearer();
  const { accounts } = supervisor;
  let asked = 0;
  supervisor.accounts = () => {
    asked++;
    return accounts();
  };
  const url = `/instances/demo/skins/${TEXTURE}`;
  await Promise.all(Array.from({ length: 50 }, () => app.inject({ url, headers })));
  clock.ahead = -3_600_000;
  t.equal((await app.inject({ url, headers })).statusCode, 200);
  t.equal(asked, 1);
  wait(3_000);
  t.equal((await app.inject({ url, headers })).statusCode, 200);
  t.equal(asked, 2, 'although the wall clock was put back');
});
