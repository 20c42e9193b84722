/** `GET /api/fleet` and the overview's pages of a running proxy: who sees what. */

import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as client from 'openid-client';
import t from 'tap';
import { WebSocket } from 'ws';
import { requestJson } from '../../../support/http/request-json.ts';
import { until } from '../../../support/machine/until.ts';
import { oauthWorld } from '../../../support/proxy/oauth-world.ts';
import { PANEL_DOMAIN, panelOrigin } from '../../../support/proxy/panel-visitor.ts';

const world = await oauthWorld(t, { GAMEKEEPER_PROXY_DAEMON_DOMAIN: PANEL_DOMAIN });
const { proxy } = world;
const [attic, cellar] = [await world.link('anna', 'Attic'), await world.link('anna', '<Cellar>')];
const foreign = await world.link('ben', 'Garage');
const anna = await world.browser('anna');
const picked = await world.tokens(anna, [attic.daemonId]);
const ofDaemon = picked.access_token;
const resource = `${proxy.url}/api`;
const { access_token: token } = await client.refreshTokenGrant(world.program, picked.refresh_token!, { resource });
const less = await world.tokens(anna, [attic.daemonId], { scope: 'logs:read' });
const { access_token: weak } = await client.refreshTokenGrant(world.program, less.refresh_token!, { resource });

interface Listed {
  total: number;
  daemons: { daemonId: string; name: string; labels: object }[];
}
const ask = <T = Listed>(method: string, route: string, bearer?: string, body?: object) =>
  requestJson<T>(method, new URL(route, proxy.url), {
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    body,
  });

t.test('a program sees the computers that the person has picked, with the right token', async (t) => {
  const { status, body } = await ask('GET', '/api/fleet', token);
  t.equal(status, 200);
  t.match(body, {
    total: 1,
    daemons: [{ daemonId: attic.daemonId, name: 'Attic', state: 'offline', telemetry: null }],
  });
  t.match(await ask('GET', '/api/fleet'), { status: 401 });
  t.match(await ask('GET', '/api/fleet', ofDaemon), { status: 401 }, 'a token for a daemon');
  t.match(await ask('GET', '/api/fleet', weak), { status: 403 }, 'without servers:read');
  t.match(await ask('GET', '/api/fleet?sort=password', token), { status: 400 });
  t.match(await ask('GET', `/api/fleet/${attic.daemonId}`, token), { status: 200, body: { instances: [] } });
  t.match(await ask('GET', `/api/fleet/${attic.daemonId}/history?range=90d`, token), { status: 200 });
  for (const { daemonId } of [cellar, foreign])
    for (const route of ['', '/history'])
      t.match(await ask('GET', `/api/fleet/${daemonId}${route}`, token), { status: 404 });
});

t.test('a program sets labels of these computers only', async (t) => {
  const put = (id: string, bearer: string | undefined, labels: object) =>
    ask('PUT', `/api/fleet/${id}/labels`, bearer, { labels });
  t.match(await put(attic.daemonId, token, { region: 'eu' }), { status: 200, body: { labels: { region: 'eu' } } });
  t.match(await ask('GET', '/api/fleet?label=region%3Deu', token), { body: { total: 1 } });
  t.match(await put(cellar.daemonId, token, { region: 'eu' }), { status: 404 });
  t.match(await put(attic.daemonId, weak, {}), { status: 403 });
  t.match(await put(attic.daemonId, undefined, {}), { status: 401 });
  t.match(await put(attic.daemonId, token, { 'Bad Name': 'x' }), { status: 400 });
});

t.test('a person sees all own computers, and no other ones', async (t) => {
  const { text } = await anna.open('/fleet');
  t.match(text, /Attic/);
  t.notMatch(text, /<Cellar>|Garage/);
  t.match(text, /&#60;Cellar&#62;/);
  for (const [name, { daemonId }] of Object.entries({ attic, cellar }))
    t.match(text, `href="${panelOrigin(world, daemonId, name)}/"`, 'its panel, on its own host');
  t.match(text, /aria-label="Open panel: Attic"/);
  t.match((await anna.open('/fleet?search=attic&sort=-players')).text, /1 computers online/);
  t.match((await anna.open('/fleet?sort=nonsense')).text, /Attic/, 'an address changed by hand');
  t.equal((await anna.open(`/fleet/${foreign.daemonId}`)).status, 404);
  t.equal((await anna.post(`/fleet/${foreign.daemonId}/labels`, { labels: 'a=b' })).status, 404);
  const saved = await anna.submit(await anna.open(`/fleet/${cellar.daemonId}`), '/labels', { labels: 'tier=paid' });
  t.match(saved.text, /value="tier=paid"/);
  t.match(await anna.submit(saved, '/labels', { labels: 'Bad Name' }), { status: 400, text: /cannot be used/ });
  const forged = { origin: 'https://evil.example' };
  t.equal((await anna.post(`/fleet/${cellar.daemonId}/labels`, { labels: 'a=b' }, forged)).status, 403);
});

t.test('what a daemon reports over its link is shown, until it says that it is off', async (t) => {
  const socket = new WebSocket(`${proxy.url.replace('http', 'ws')}/link/${attic.daemonId}`, 'gamekeeper-link.1', {
    headers: { authorization: `Bearer ${await attic.token()}` },
  });
  t.teardown(() => socket.terminate());
  const hostile = { id: 'demo', name: '<img src=x>', software: 'paper', phase: 'running', players: 7, age: 10 };
  socket.once('open', () =>
    socket.send(
      JSON.stringify({
        type: 'telemetry',
        version: '2.0.0',
        health: 'ok',
        cpuPercent: 5,
        memory: { usedBytes: 1, totalBytes: 2 },
        instances: [hostile],
        moreInstances: 0,
      }),
    ),
  );
  await until('it is stored', async () => (await anna.open(`/fleet/${attic.daemonId}`)).text.includes('2.0.0'));
  const { text } = await anna.open(`/fleet/${attic.daemonId}`);
  t.match(text, /&#60;img src=x&#62;/);
  t.notMatch(text, /<img/);
  socket.send('{"type":"telemetry-off"}');
  await until('it is gone', async () => !(await anna.open(`/fleet/${attic.daemonId}`)).text.includes('2.0.0'));
  const database = new DatabaseSync(path.join(proxy.home, 'proxy.db'), { readOnly: true });
  t.equal(database.prepare('SELECT count(*) AS count FROM telemetry_sample').get()?.count, 0);
  database.close();
});
