import t from 'tap';
import { headersForPanel } from '../../../../gateway/proxy/panel/panel-headers.ts';

t.test('a daemon sets no cookie, opens nothing to other origins, and weakens no policy', async (t) => {
  const headers = headersForPanel({
    ':status': '200',
    'access-control-allow-origin': '*',
    'clear-site-data': '"*"',
    'content-security-policy': 'script-src *; frame-ancestors *',
    'content-type': 'text/html',
    'cross-origin-opener-policy': 'unsafe-none',
    etag: '"1"',
    'service-worker-allowed': '/',
    'set-cookie': ['a=b; Domain=example.net'],
    'www-authenticate': 'Basic realm="Password of the proxy"',
    'x-accel-redirect': '/etc/passwd',
    'x-frame-options': 'ALLOWALL',
  });
  t.same(Object.keys(headers).sort(), [
    'content-security-policy',
    'content-type',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'etag',
    'origin-agent-cluster',
    'referrer-policy',
    'x-content-type-options',
    'x-frame-options',
  ]);
  t.match(headers, {
    'content-security-policy': /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
});

t.test('a redirect stays on the host', async (t) => {
  for (const location of ['/ui/', '/instances/demo?x=1']) t.equal(headersForPanel({ location }).location, location);
  for (const location of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:x',
    'ui/',
  ])
    t.equal(headersForPanel({ location }).location, undefined, location);
});

t.test('no reverse proxy buffers an event stream, which a daemon cannot change', (t) => {
  const buffering = (type: string) =>
    headersForPanel({ 'content-type': type, 'x-accel-buffering': 'yes' })['x-accel-buffering'];
  t.equal(buffering('text/event-stream'), 'no');
  t.equal(buffering('application/json'), undefined);
  t.end();
});
