import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { createHttpServer } from '../../../gateway/http/server.ts';

const TIMEOUT_MS = 60_000;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';

/** A server that answers without reading bodies, and a connection that has its answer. `cut`: the codes of what was cut off. */
async function answered(t: Test) {
  const cut: (string | undefined)[] = [];
  const server = createHttpServer((_request, response) => response.end(), { bodyTimeoutMs: TIMEOUT_MS });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    cut.push(error.code);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => {
    mock.timers.reset();
    server.closeAllConnections();
    server.close();
  });
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = await once(server, 'connection');
  client.write(HEAD);
  await once(client, 'data');
  return { client, accepted, cut };
}

t.test('a body that does not arrive in time is cut off, although its answer was given', async (t) => {
  const { cut } = await answered(t);
  mock.timers.tick(TIMEOUT_MS - 1);
  t.same(cut, []);
  mock.timers.tick(1);
  t.same(cut, ['ERR_HTTP_REQUEST_TIMEOUT']);
});

t.test('each body has its own time, and a connection none between them', async (t) => {
  const { client, cut } = await answered(t);
  mock.timers.tick(TIMEOUT_MS - 1);
  client.write(`0123456789${HEAD}`);
  await once(client, 'data');
  mock.timers.tick(TIMEOUT_MS - 1);
  t.same(cut, []);
  client.write('0123456789GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(client, 'data');
  mock.timers.tick(TIMEOUT_MS);
  t.same(cut, []);
});

t.test('nothing is kept for a body whose connection has ended', async (t) => {
  const { client, accepted, cut } = await answered(t);
  client.destroy();
  await once(accepted, 'close');
  t.same(cut, ['HPE_INVALID_EOF_STATE'], 'it ended before its body');
  mock.timers.tick(TIMEOUT_MS);
  t.equal(cut.length, 1);
});
