/**
 * Webhooks of other panels send requests to any address. The hosted proxy posts alerts to addresses that anybody with an account chooses. It must not reach what only its machine can reach.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { send } from '../../gateway/proxy/fleet/alerts/send.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';

const asked: string[] = [];
const inner = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
}).listen(0, '127.0.0.1');
await once(inner, 'listening');
t.teardown(() => void inner.close().closeAllConnections());
const { port } = inner.address() as AddressInfo;

const INNER = [
  `https://127.0.0.1:${port}/`,
  `https://localhost:${port}/`,
  `https://[::1]:${port}/`,
  `https://[::ffff:127.0.0.1]:${port}/`,
  `https://2130706433:${port}/`,
  `https://0x7f.1:${port}/`,
  `https://0.0.0.0:${port}/`,
  'https://169.254.169.254/latest/meta-data/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[64:ff9b::7f00:1]/',
];

t.test('addresses of the own machine and network are refused, by number and by name', async (t) => {
  for (const url of INNER)
    t.match(
      await send({ url, body: '{}', headers: {}, allowsPrivate: false }),
      { delivered: false, result: /not on the internet/ },
      url,
    );
  t.same(asked, []);
});

t.test('only https, without a password, in the page and when it is sent', async (t) => {
  const world = await oauthWorld(t);
  const anna = await world.browser('anna');
  for (const url of [
    `http://127.0.0.1:${port}/`,
    'http://example.com/',
    'file:///etc/passwd',
    'gopher://a/',
    'https://a:b@example.com/',
    'nonsense',
  ]) {
    const { status, text } = await anna.post('/fleet/alerts', { kind: 'webhook', url });
    t.equal(status, 400, url);
    t.match(text, /role="alert"/);
    t.match(
      await send({
        url: url.replace('https://a:b@example.com', 'http://a'),
        body: '',
        headers: {},
        allowsPrivate: false,
      }),
      {
        delivered: false,
      },
    );
  }
  const added = await anna.post('/fleet/alerts', { kind: 'webhook', url: INNER[0]! });
  t.match(added.text, /whsec_/, 'the secret is shown once');
  t.notMatch((await anna.open('/fleet/alerts')).text, /whsec_/);
  const tested = await anna.submit(added, '/test');
  t.match(tested.text, /Not delivered: the address is not on the internet/);
  t.same(asked, []);

  const id = /alerts\/([0-9a-f-]+)\/test/.exec(tested.text)?.[1] ?? '';
  const ben = await world.browser('ben');
  t.equal((await ben.post(`/fleet/alerts/${id}/test`, {})).status, 404);
  await ben.post(`/fleet/alerts/${id}/remove`, {});
  t.match((await anna.open('/fleet/alerts')).text, id, 'another account cannot remove it');
  for (let count = 0; count < 80; count++) await anna.post(`/fleet/alerts/${id}/test`, {});
  t.equal((await anna.post(`/fleet/alerts/${id}/test`, {})).status, 429, 'tests are counted');
});
