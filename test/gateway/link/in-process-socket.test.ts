import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { connectInProcess } from '../../../gateway/link/in-process-socket.ts';

t.test('what one end writes, the other reads, to the end', async (t) => {
  const { client, server } = connectInProcess();
  client.end('question');
  t.equal(await text(server), 'question');
  server.end('answer');
  t.equal(await text(client), 'answer');
});

t.test('a writer may use its memory again once a write is confirmed', async (t) => {
  const { client, server } = connectInProcess();
  const memory = Buffer.from('first');
  client.write(memory, () => memory.fill('x'));
  await new Promise(setImmediate);
  client.end();
  t.equal(await text(server), 'first');
});

t.test('a reader that stops holds back the writer', async (t) => {
  const { client, server } = connectInProcess();
  const chunk = Buffer.alloc(64 * 1024);
  let confirmed = 0;
  for (let n = 0; n < 20; n++) client.write(chunk, () => confirmed++);
  await new Promise(setImmediate);
  t.ok(confirmed < 3);
  server.resume();
  client.end();
  await once(server, 'end');
  t.equal(confirmed, 20);
});

t.test('an end that is destroyed ends the other one, after what it has sent', async (t) => {
  const { client, server } = connectInProcess();
  client.on('error', () => undefined); // A socket reports it as well.
  server.write('last words');
  server.destroy();
  t.equal(await text(client), 'last words');
  const failed = await new Promise((resolve) => client.write('late', resolve));
  t.match(failed, { message: /closed/ });
});
