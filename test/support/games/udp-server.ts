import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Test } from 'tap';

/** Starts a UDP server on the loopback interface until the end of the test. `onMessage` replies to the sender of a message. */
export async function udpServerThat(
  t: Test,
  onMessage: (message: Buffer, reply: (answer: Buffer) => void) => void,
): Promise<{ host: string; port: number }> {
  const server = createSocket('udp4');
  server.on('message', (message, { port, address }) => {
    onMessage(message, (answer) => server.send(answer, port, address));
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { host: '127.0.0.1', port: server.address().port };
}
