import t from 'tap';
import { planListeners } from '../../../gateway/listeners/listener-plan.ts';
import { settings } from '../../../shared/schema/settings.ts';
import { isProblem } from '../../support/http/problem.ts';
import { build } from '../../support/processes/gateway-app.ts';

const plan = (remoteControl: object, panel = 25_580, remote = 25_585) =>
  planListeners(settings.parse({ remoteControl }).remoteControl, { panel, remote });

t.test('two ports split the path families, equal ports serve all of them', async (t) => {
  t.same(plan({}), [
    { name: 'panel', port: 25_580, families: ['daemon', 'session'], host: '127.0.0.1', secure: false },
    { name: 'remote', port: 25_585, families: ['versioned'], host: '127.0.0.1', secure: false },
  ]);
  t.same(plan({ host: '::1', tls: { cert: 'c', key: 'k' } }, 4000, 4000), [
    { name: 'panel', port: 4000, families: ['daemon', 'versioned', 'session'], host: '::1', secure: true },
  ]);
  t.equal(plan({}, 0, 0).length, 2, 'two listeners on free ports');
  t.same(plan({ enabled: false }), [], 'no listeners while switched off');
});

t.test('an address that other machines can reach needs TLS or the setting insecure', async (t) => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'fe80::1', '2001:db8::1', '[::1]', 'my.lan', '127.0.0.1.nip.io'])
    t.throws(() => plan({ host }), {
      code: 'invalid_request',
      message: new RegExp(host.replace(/[[\].]/g, '\\$&')),
      resolution: /tls.*insecure/s,
    });
  t.equal(plan({ host: '0.0.0.0', insecure: true }).length, 2);
  t.equal(plan({ host: '0.0.0.0', tls: { cert: 'c', key: 'k' } }).length, 2);
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) t.equal(plan({ host }).length, 2, host);
});

t.test('a family is 404 on the other listener', async (t) => {
  const { listener } = await build(t);
  const panel = await listener({ families: ['daemon', 'session'] });
  const remote = await listener({ families: ['versioned'] });
  const status = async (app: typeof panel, url: string) => (await app.inject(url)).statusCode;
  for (const url of ['/health', '/openapi.json', '/docs', '/docs/errors', '/ui/', '/metrics'])
    t.equal(await status(panel, url), 200, url);
  for (const url of ['/instances', '/api/session']) t.equal(await status(panel, url), 401, url);
  for (const url of ['/api/v1/health', '/api/v1/instances'])
    isProblem(t, await panel.inject(url), 'route_not_found', url);
  for (const url of ['/api/v1/health', '/openapi.json', '/metrics']) t.equal(await status(remote, url), 200, url);
  for (const url of ['/', '/health', '/instances', '/api/session', '/ws/instances/demo/console', '/docs', '/ui/'])
    isProblem(t, await remote.inject(url), 'route_not_found', url);
  isProblem(t, await remote.inject({ method: 'POST', url: '/api/login', payload: {} }), 'route_not_found', 'login');
});

t.test('pages run no script, load nothing and are never framed', async (t) => {
  const { app } = await build(t);
  const root = await app.inject('/');
  t.match(root, { statusCode: 302, headers: { location: '/ui/' } });
  for (const url of ['/ui/', '/docs', '/docs/errors']) {
    const { headers, body } = await app.inject(url);
    t.match(headers, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
    });
    t.notMatch(body, /<script|\son\w+=|\b(?:src|href|action)="(?!\/(?!\/)|#)/, url);
  }
  const errors = await app.inject('/docs/errors');
  for (const code of ['instance_not_found', 'rate_limited', 'internal_error']) t.match(errors.body, `id="${code}"`);
});
