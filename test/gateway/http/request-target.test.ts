/** Requests that no browser sends, which try to bypass the Host check (DNS rebinding, cache poisoning). */
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { build } from '../../support/processes/gateway-app.ts';

/** Sends lines with a valid token, then an empty line. Resolves to the status and the error code. */
async function served(t: Test) {
  const world = await build(t);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  const authorization = `Authorization: ${(await world.bearer()).authorization}`;
  return async (...lines: string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${[...lines, authorization, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    const answer = await text(socket);
    const [, status = ''] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
    return { status: Number(status), code: /errors#(\w+)/.exec(answer)?.[1] };
  };
}

const REFUSED = { status: 403, code: 'origin_not_allowed' };

for (const route of ['/health', '/instances'])
  t.test(`${route} is served only for an own Host`, async (t) => {
    const send = await served(t);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1'), { status: 200 });
    t.match(await send(`GET ${route} HTTP/1.1`, 'hOST:   LOCALHOST:25580  '), { status: 200 });
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: [::1]:25580'), { status: 200 });
    t.match(await send(`GET ${route} HTTP/1.1`), REFUSED, 'no Host header');
    t.match(await send(`GET ${route} HTTP/1.0`), REFUSED, 'no Host header, as HTTP/1.0 allows');
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host:'), REFUSED, 'an empty Host header');
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: evil.example'), REFUSED);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1', 'Host: evil.example'), REFUSED, 'two Host headers');
    t.match(
      await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1', 'host: 127.0.0.1'),
      REFUSED,
      'the same Host header twice',
    );
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1, evil.example'), REFUSED);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: evil.example', 'X-Forwarded-Host: 127.0.0.1'), REFUSED);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: evil@127.0.0.1'), REFUSED);
  });

t.test('an absolute request target takes precedence over the Host header', async (t) => {
  const send = await served(t);
  t.match(await send('GET http://127.0.0.1:25580/instances HTTP/1.1', 'Host: 127.0.0.1'), { status: 200 });
  t.match(await send('GET http://127.0.0.1:25580/health HTTP/1.1', 'Host: evil.example'), { status: 200 });
  for (const target of [
    'http://evil.example/instances',
    'HTTP://evil.example/health',
    'https://evil.example',
    'http://127.0.0.1@evil.example/instances',
    'http://evil.example@127.0.0.1/instances',
    'ftp://127.0.0.1/instances',
  ])
    t.match(await send(`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1'), REFUSED, target);
  for (const target of ['http:///instances', 'http://evil.example#127.0.0.1/instances'])
    t.match(await send(`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1'), { status: 400, code: 'invalid_request' }, target);
  t.match(await send('OPTIONS * HTTP/1.1', 'Host: evil.example'), REFUSED);
  t.match(await send('OPTIONS * HTTP/1.1', 'Host: 127.0.0.1'), { status: 404 });
});
