import t, { type Test } from 'tap';
import type { Link } from '../../../../shared/schema/link.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { until } from '../../../support/machine/until.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { hostedProxy } from '../../../support/stand-ins/hosted-proxy.ts';

async function world(t: Test) {
  const { app, cookie, ...rest } = await build(t);
  const proxy = await hostedProxy(t);
  const headers = await cookie();
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', payload?: object) =>
    app.inject({ method, url: `/api/link${path}`, headers, ...(payload && { payload }) });
  const read = async () => (await ask('GET')).json<Link>();
  return { app, cookie, proxy, ask, read, ...rest };
}

t.test('an administrator links, changes and unlinks this daemon, and each is recorded', async (t) => {
  const { ask, read, proxy, daemon } = await world(t);
  t.match(await read(), { proxy: null, status: { state: 'off' }, request: null, lastRequest: null });
  const asked = await ask('POST', '', { url: proxy.issuer, name: 'Basement', scopes: ['servers:read', 'logs:read'] });
  t.equal(asked.statusCode, 202);
  t.match(asked.json(), { issuer: proxy.issuer, name: 'Basement', scopes: ['servers:read', 'logs:read'] });
  t.match(await read(), { proxy: null, request: asked.json() });
  isProblem(t, await ask('POST', '', { url: proxy.issuer }), 'already_in_progress');

  await proxy.approve(asked.json().userCode);
  const linked = await until('it is linked', async () => {
    const link = await read();
    return link.proxy !== null && link;
  });
  t.match(linked, {
    proxy: { issuer: proxy.issuer, account: 'anna', name: 'Basement', scopes: ['servers:read', 'logs:read'] },
    status: { state: 'connecting' },
    request: null,
    lastRequest: { outcome: 'approved', id: asked.json().id },
  });
  t.notMatch(JSON.stringify(linked), /PRIVATE|"d"/, 'without the key');

  const changed = await ask('PATCH', '', { scopes: ['servers:read'], name: 'Attic' });
  t.match(changed.json(), { proxy: { scopes: ['servers:read'], name: 'Attic' } });
  t.same((await ask('DELETE')).json(), { proxyTold: true });
  t.equal((await read()).proxy, null);
  isProblem(t, await ask('DELETE'), 'not_linked');
  isProblem(t, await ask('PATCH', '', { name: 'x' }), 'not_linked');
  isProblem(t, await ask('DELETE', '/request'), 'not_linked');
  await until('all is recorded', () => daemon.audited.filter(({ path }) => path.startsWith('/api/link')).length >= 7);
  t.match(
    daemon.audited
      .filter(({ path, status }) => path === '/api/link' && status < 300)
      .map(({ method, who }) => [method, who]),
    [
      ['POST', 'admin'],
      ['PATCH', 'admin'],
      ['DELETE', 'admin'],
    ],
  );
});

t.test('a waiting request is cancelled', async (t) => {
  const { ask, read, proxy } = await world(t);
  await ask('POST', '', { url: proxy.issuer });
  t.equal((await ask('DELETE', '/request')).statusCode, 204);
  t.match(await read(), { request: null, lastRequest: { outcome: 'cancelled' } });

  proxy.interfere = () => true;
  const asking = ask('POST', '', { url: proxy.issuer });
  await until('the proxy is asked', () => proxy.asked.at(-1)?.startsWith('GET'));
  t.equal((await ask('DELETE', '/request')).statusCode, 204);
  isProblem(t, await asking, 'not_linked', 'cancelled before there is a code');
  t.equal((await read()).request, null);
});

t.test('bad input and a proxy that cannot be used are explained', async (t) => {
  const { ask, proxy } = await world(t);
  for (const body of [
    {},
    { url: '' },
    { url: 'a', scopes: [] },
    { url: 'a', scopes: ['all'] },
    { url: 'a', name: 'a\nb' },
  ])
    isProblem(t, await ask('POST', '', body), 'invalid_request', JSON.stringify(body));
  isProblem(t, await ask('POST', '', { url: 'http://proxy.example.net' }), 'invalid_request', 'without TLS');
  isProblem(t, await ask('PATCH', '', { scopes: [] }), 'invalid_request');
  proxy.interfere = (_request, response) => {
    response.end('<h1>Hello</h1>');
    return true;
  };
  isProblem(t, await ask('POST', '', { url: proxy.issuer }), 'proxy_refused');
  await proxy.close();
  isProblem(t, await ask('POST', '', { url: proxy.issuer }), 'proxy_unavailable');
});

t.test('only administrators who are signed in can see or change the link', async (t) => {
  const { app, addUser, cookie, bearer, proxy } = await world(t);
  await addUser('op', 'operator');
  const routes = [
    ['GET', '/api/link'],
    ['POST', '/api/link'],
    ['PATCH', '/api/link'],
    ['DELETE', '/api/link'],
    ['DELETE', '/api/link/request'],
  ] as const;
  for (const [method, url] of routes) {
    const name = `${method} ${url}`;
    const payload = method === 'POST' ? { url: proxy.issuer } : method === 'PATCH' ? { name: 'x' } : undefined;
    const ask = (headers: Record<string, string> = {}) =>
      app.inject({ method, url, headers, ...(payload && { payload }) });
    isProblem(t, await ask(), 'unauthenticated', name);
    isProblem(t, await ask(await cookie('op')), 'insufficient_scope', name);
    isProblem(t, await ask(await bearer()), 'insufficient_scope', name);
  }
  t.same(proxy.asked, []);
});
