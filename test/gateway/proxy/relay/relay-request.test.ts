import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import t from 'tap';
import { relayRequest } from '../../../../gateway/proxy/relay/relay-request.ts';

t.test('a client that left while it was admitted gives its place back, and nothing is sent for it', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET /d/x HTTP/1.1\r\nHost: x\r\n\r\n');
  const [request, response] = await once(server, 'request');
  client.destroy();
  await once(response, 'close');

  const done: string[] = [];
  relayRequest(request, response, {
    link: { request: () => t.fail('nothing is sent') } as never,
    headers: {},
    bodyBytes: 1000,
    leave: () => done.push('left'),
    refuse: () => done.push('refused'),
  });
  t.same(done, ['left']);
});
