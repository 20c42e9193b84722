import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { mock } from 'node:test';
import t from 'tap';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../support/stand-ins/stand-in-daemon.ts';

t.test('an upload that is refused at once leaves its connection to the next request', async (t) => {
  const { app, bearer, daemon } = await build(t);
  daemon.put({ ...instanceConfig(), directory: temporaryFolder(t) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const { port } = app.server.address() as AddressInfo;
  const headers = {
    ...(await bearer()),
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  async function ask(method: string, path: string, body?: Buffer): Promise<{ status: number; port: number }> {
    const asking = request({ host: '127.0.0.1', port, agent, method, path, headers }).end(body);
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    const localPort = answer.socket.localPort!;
    await answer.resume().toArray();
    return { status: answer.statusCode!, port: localPort };
  }
  const refused = await ask('PATCH', `/instances/demo/files/uploads/${'0'.repeat(32)}`, Buffer.alloc(8 * 1024 * 1024));
  t.equal(refused.status, 404);
  t.same(await ask('GET', '/instances'), { status: 200, port: refused.port });
});

t.test('nothing is kept for an upload that was refused, once its connection has ended', async (t) => {
  const { app, bearer } = await build(t);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { authorization } = await bearer();
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const asked = once(app.server, 'request');
  client.write(
    `PUT /instances/none/files/content?path=a HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n` +
      'Content-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\n12345',
  );
  const [raw] = (await asked) as [IncomingMessage];
  t.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 404/);
  client.destroy();
  await once(raw.socket, 'close');
  mock.timers.tick(60_000);
  t.notOk(raw.destroyed, 'no timer was left to end it');
});
