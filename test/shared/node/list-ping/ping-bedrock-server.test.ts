import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { pingBedrockServer } from '../../../../shared/node/list-ping/ping-bedrock-server.ts';

const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex');
const STATUS = 'MCPE;Dedicated \\; Server;786;1.21.80;3;10;13253860892328930865;Bedrock level;Survival;1;19132;19133;';

/** Returns the unconnected pong of a dedicated server. */
function pong(ping: Buffer, status: string): Buffer {
  const text = Buffer.from(status);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.of(0x1c), ping.subarray(1, 9), Buffer.alloc(8, 5), MAGIC, length, text]);
}

async function serverThat(t: Test, answers: (server: Socket, ping: Buffer, client: RemoteInfo) => void) {
  const server = createSocket('udp4');
  server.on('message', (ping, client) => answers(server, ping, client));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { host: '127.0.0.1', port: server.address().port, timeoutMs: 600 };
}

t.test('asks a Bedrock server with an unconnected ping', async (t) => {
  const target = await serverThat(t, (server, ping, { port }) => {
    if (ping[0] === 1 && ping.length === 33 && ping.subarray(9, 25).equals(MAGIC))
      server.send(pong(ping, STATUS), port);
  });
  t.match(await pingBedrockServer({ ...target, timeoutMs: 5_000 }), {
    version: '1.21.80',
    protocol: 786,
    online: 3,
    max: 10,
    sample: [],
  });
});

t.test('pings again after a lost datagram', async (t) => {
  let heard = 0;
  const target = await serverThat(t, (server, ping, { port }) => {
    if (heard++ > 0) server.send(pong(ping, STATUS), port);
  });
  t.match(await pingBedrockServer(target), { online: 3 });
});

t.test('ignores answers to other pings, and reports a malformed one', async (t) => {
  const forged = await serverThat(t, (server, ping, { port }) => {
    server.send(Buffer.of(0x1c), port);
    server.send(pong(Buffer.alloc(33), STATUS), port);
    server.send(Buffer.concat([pong(ping, STATUS).subarray(0, 17), Buffer.alloc(16), Buffer.from('xx')]), port);
  });
  await t.rejects(pingBedrockServer(forged), { name: 'ListPingError', reason: 'timeout' });
  const nonsense = await serverThat(t, (server, ping, { port }) => server.send(pong(ping, 'MCPE;a;b'), port));
  await t.rejects(pingBedrockServer(nonsense), { name: 'ListPingError', reason: 'malformed' });
  const nobody = await serverThat(t, () => undefined);
  await t.rejects(pingBedrockServer(nobody), { name: 'ListPingError', reason: 'timeout' });
});
