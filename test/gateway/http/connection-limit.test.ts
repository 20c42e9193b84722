import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import t, { type Test } from 'tap';
import { buildApp } from '../../../gateway/app.ts';
import { FAMILIES } from '../../../gateway/listeners/listener-plan.ts';
import { selfSigned } from '../../support/http/self-signed.ts';
import { pretendAddresses } from '../../support/machine/pretend-addresses.ts';
import { until } from '../../support/machine/until.ts';
import { build } from '../../support/processes/gateway-app.ts';

/** Sixteen connections, eight of one address. */
const settings = { limits: { connections: 16 } };

interface Caller {
  /** Connects and sends this text, optionally from another address of this machine. */
  call(text?: string, localAddress?: string): Promise<Socket>;
  /** Everything received so far. */
  heard(socket: Socket): string;
  authorization: string;
}

async function listening(t: Test, secure = false): Promise<Caller> {
  const { gateway, listener, bearer } = await build(t, { settings });
  const tls = secure ? selfSigned() : undefined;
  const app = tls
    ? await buildApp({ gateway, families: FAMILIES, local: false, loopback: true, tls })
    : await listener();
  t.teardown(() => app.close());
  pretendAddresses(app.server);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const answers = new Map<Socket, string>();
  return {
    authorization: (await bearer()).authorization,
    heard: (socket) => answers.get(socket) ?? '',
    async call(text, localAddress = '127.0.0.1') {
      const options = { port, host: '127.0.0.1', localAddress };
      const socket = secure ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
      t.teardown(() => socket.destroy());
      socket.on('error', () => undefined); // refused: only the close matters
      socket.on('data', (chunk) => answers.set(socket, `${answers.get(socket) ?? ''}${chunk}`));
      await Promise.race([once(socket, secure ? 'secureConnect' : 'connect'), once(socket, 'close')]);
      if (text !== undefined) socket.write(text);
      return socket;
    },
  };
}

const HEALTH = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const SLOW_HEADERS = 'GET /health HTTP/1.1\r\nHost: 127';
const SLOW_BODY =
  'POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';

for (const secure of [false, true]) {
  t.test(
    `a silent connection is closed for a new one that sends a request${secure ? ', over TLS too' : ''}`,
    async (t) => {
      const { call, heard } = await listening(t, secure);
      const quiet: Socket[] = [];
      for (const text of [undefined, SLOW_HEADERS, SLOW_BODY, HEALTH, undefined, undefined, undefined, undefined]) {
        quiet.push(await call(text));
        if (text === HEALTH) await until('it is answered', () => heard(quiet.at(-1)!).includes('"ok"'));
      }
      for (let n = 0; n < 5; n++) {
        const newcomer = await call(HEALTH);
        await until(`number ${n} is served`, () => heard(newcomer).includes('"ok"'));
        await until('the oldest connection is closed', () => quiet[n]!.closed);
        t.notOk(quiet[n + 1]!.closed, 'no other connection was closed');
      }
      t.equal(heard(quiet[3]!).split('"ok"').length, 2, 'a connection that fell idle after a response is replaced');
    },
  );
}

/** Only Linux has all of 127.0.0.0/8 by default. */
const skip = process.platform === 'linux' ? false : 'this machine has one loopback address';

t.test('a connection that is being served stays, and the new one is closed', { skip }, async (t) => {
  const { call, heard, authorization } = await listening(t);
  const events = `GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`;
  const console_ = `GET /ws/instances/demo/console HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  const served: Socket[] = [];
  for (const text of [events, console_, events, console_, events, console_, events, console_]) {
    served.push(await call(text));
    await until('it is served', () => /^HTTP\/1.1 (?:200|101)/.test(heard(served.at(-1)!)));
  }
  const newcomer = await call(HEALTH);
  await until('the new connection is closed', () => newcomer.closed);
  t.equal(heard(newcomer), '');
  for (const socket of served) t.notOk(socket.closed);

  const stranger = await call(HEALTH, '127.0.0.2');
  await until('another address is served', () => heard(stranger).includes('"ok"'));
});

t.test('a full listener closes a connection of the address with the most', { skip }, async (t) => {
  const { call, heard } = await listening(t);
  const few = [await call(undefined, '127.0.0.3'), await call(undefined, '127.0.0.3')];
  const many: Socket[] = [];
  for (const address of ['127.0.0.1', '127.0.0.2'])
    for (let n = 0; n < 8; n++) many.push(await call(undefined, address));
  const newcomer = await call(HEALTH, '127.0.0.4');
  await until('it is served', () => heard(newcomer).includes('"ok"'));
  for (const socket of few) t.notOk(socket.closed);
  await until(
    'connections of the address with the most are closed',
    () => many.filter((socket) => socket.closed).length === 3,
  );
});
