import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { openStatusServer } from '../../../../shared/node/list-ping/status-server.ts';
import { handshake } from '../../../support/machine/game-client.ts';

const LIMITS = { most: 10, mostPerAddress: 10, lifetimeMs: 10_000 };
const STATUS_REQUEST = Buffer.of(1, 0);
const PING = Buffer.from([9, 1, ...Buffer.alloc(8)]);

/** A server that counts its answers, and the answer to these bytes on one connection. */
async function served(t: Test, bytes: Buffer) {
  const asked = { status: 0, login: 0 };
  const server = await openStatusServer({
    host: '127.0.0.1',
    port: 0,
    limits: LIMITS,
    status() {
      asked.status += 1;
      return { version: '1', protocol: 1, motd: 'm', max: 1, online: 0, sample: [] };
    },
    onLogin() {
      asked.login += 1;
      return { message: 'later' };
    },
  });
  t.teardown(() => server.close());
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  const got: Buffer[] = [];
  socket.on('data', (more) => got.push(more));
  socket.on('error', () => {}); // the server may reset it
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return { ...asked, answer: Buffer.concat(got) };
}

t.test('a repeated status request is answered once', async (t) => {
  const flood = Buffer.concat([handshake(1), ...Array<Buffer>(32_768).fill(STATUS_REQUEST)]);
  t.equal((await served(t, flood)).status, 1);
});

t.test('a connection gets one answer and one pong', async (t) => {
  const { status, answer } = await served(t, Buffer.concat([handshake(1), STATUS_REQUEST, PING, PING, STATUS_REQUEST]));
  t.equal(status, 1);
  t.same(answer.subarray(-PING.length), PING);
  t.equal(answer.indexOf(PING), answer.length - PING.length);
});

t.test('a login is handled once', async (t) => {
  const login = Buffer.of(7, 0, 5, ...Buffer.from('Steve'));
  t.equal((await served(t, Buffer.concat([handshake(2), login, login, login]))).login, 1);
});
