/**
 * A page on another port of this machine, such as a plugin's web map, is of the same site: browsers send it and its requests the session
 * cookie, SameSite=Strict or not (RFC 6265bis, section 5.2). Its requests are refused, also those that only read: an export keeps a server
 * from saving, and event streams are limited.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { Job } from '../../shared/schema/job.ts';
import { openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { requestJson } from '../support/http/request-json.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const { panel } = gamekeeper.addresses();
const PATHS = ['/instances', '/instances/demo/export', '/events', '/api/session', '/instances/demo/logs'];

t.test('requests that a page elsewhere makes with the cookie are refused, whatever they do', async (t) => {
  const cookie = await gamekeeper.login();
  const ask = (path: string, headers: Record<string, string>) =>
    requestJson<{ code: string }>('GET', new URL(path, panel), { headers });
  for (const path of PATHS) {
    for (const site of ['same-site', 'cross-site'])
      t.match(await ask(path, { cookie, 'sec-fetch-site': site }), {
        status: 403,
        body: { code: 'origin_not_allowed' },
      });
    t.match(await ask(path, { cookie, origin: 'http://127.0.0.1:8123' }), { status: 403 }, `${path} with Origin`);
  }
  for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, { origin: panel }])
    t.equal((await ask('/instances', { cookie, ...headers })).status, 200, JSON.stringify(headers));
  const authorization = `Bearer ${await gamekeeper.token()}`;
  const script = { authorization, 'sec-fetch-site': 'cross-site', origin: 'http://elsewhere.example' };
  t.equal((await ask('/instances', script)).status, 200, 'no browser adds a token by itself');
  t.equal((await ask('/health', { cookie, 'sec-fetch-site': 'same-site' })).status, 200);
  t.equal((await fetch(new URL('/ui/', panel), { headers: { cookie, 'sec-fetch-site': 'same-site' } })).status, 200);
});

t.test('in Chromium, a web map on another port starts no export', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const map = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Map</title>');
  }).listen(0, '127.0.0.1');
  await once(map, 'listening');
  t.teardown(() => map.close());
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page } = window;
  await signInAs(window, gamekeeper);
  await page.goto(`http://127.0.0.1:${(map.address() as AddressInfo).port}`);
  const statuses: number[] = [];
  page.on('response', (response) => statuses.push(response.status()));
  await page.evaluate(async (url) => {
    await fetch(url, { mode: 'no-cors', credentials: 'include' });
    await fetch(url, { credentials: 'include' }).catch(() => undefined); // CORS hides the answer
  }, `${panel}/instances/demo/export`);
  t.ok(statuses.length > 0, 'requests were answered');
  t.ok(
    statuses.every((status) => status === 403),
    `with ${statuses}`,
  );
  t.same(
    (await gamekeeper.api<Job[]>('GET', '/jobs')).body.filter(({ kind }) => kind === 'export'),
    [],
  );
});
