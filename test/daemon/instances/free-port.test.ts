import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { canBind } from '../../../daemon/instances/free-port.ts';

t.test('a port can be bound only while no program listens on it', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  t.equal(await canBind(port, 'tcp'), false);
  holder.close();
  await once(holder, 'close');
  t.equal(await canBind(port, 'tcp'), true);
});

t.test('a UDP port is checked by UDP', async (t) => {
  const holder = createSocket('udp4').bind(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address();
  t.equal(await canBind(port, 'udp'), false);
  holder.close();
  await once(holder, 'close');
  t.equal(await canBind(port, 'udp'), true);
});
