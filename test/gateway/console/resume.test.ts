import t from 'tap';
import { type ConsoleClient, openConsole } from '../../support/console/console-client.ts';
import { build } from '../../support/processes/gateway-app.ts';

const PATH = '/ws/instances/demo/console?after=0';

/** The numbers printed as `n <number>`, in the order of arrival. */
function numbers(client: ConsoleClient): number[] {
  return [...client.text().matchAll(/^n (\d+)\r$/gm)].map((match) => Number(match[1]));
}

function upTo(n: number): number[] {
  return Array.from({ length: n }, (_, index) => index + 1);
}

t.test('viewers lose no line when the supervisor is replaced', async (t) => {
  const { app, bearer, supervisor, dropSupervisor } = await build(t);
  const headers = await bearer();
  const clients = await Promise.all([1, 2].map(() => openConsole(t, app, { headers, path: PATH })));
  supervisor.print('n 1');
  await Promise.all(clients.map((client) => client.until(() => numbers(client).length === 1)));
  for (let round = 0; round < 3; round++) {
    const before = round * 2 + 1;
    const comeBack = await dropSupervisor();
    supervisor.print(`n ${before + 1}`);
    await comeBack();
    supervisor.print(`n ${before + 2}`);
    await Promise.all(clients.map((client) => client.until(() => numbers(client).length === before + 2)));
  }
  for (const client of clients) t.same(numbers(client), upTo(7));
  while (supervisor.followers === 0) await new Promise(setImmediate);
  t.equal(supervisor.followers, 1, 'one stream is left');
});

t.test('lines that the live stream dropped are read from the log', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const client = await openConsole(t, app, { headers: await bearer(), path: PATH });
  supervisor.print('n 1');
  await client.until(() => numbers(client).length === 1);
  supervisor.withholdLive = true;
  supervisor.print('n 2', 'n 3');
  supervisor.withholdLive = false;
  supervisor.print('n 4');
  await client.until(() => numbers(client).length === 4);
  t.same(numbers(client), upTo(4));
  supervisor.print('n 5');
  await client.until(() => numbers(client).length === 5);
  t.same(numbers(client), upTo(5), 'back to live lines');
});

t.test('a flood reaches every viewer completely and in order', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const headers = await bearer();
  const total = 50_000;
  const opening = Promise.all([1, 2, 3].map(() => openConsole(t, app, { headers, path: PATH })));
  for (let n = 1; n <= total; n += 100) {
    supervisor.print(...Array.from({ length: 100 }, (_, index) => `n ${n + index}`));
    if (n % 1_000 === 1) await new Promise(setImmediate);
  }
  for (const client of await opening) {
    await client.until(({ frames }) => frames.at(-1)?.endsWith(`n ${total}\r\n`) === true);
    t.same(numbers(client), upTo(total));
  }
});

t.test('a viewer that does not read buffers at most 1 MiB, delays nobody, and gets every line later', async (t) => {
  const { app, bearer, supervisor, gateway } = await build(t);
  const headers = await bearer();
  const slow = await openConsole(t, app, { headers, path: PATH });
  const quick = await openConsole(t, app, { headers, path: PATH });
  await new Promise(setImmediate);
  slow.socket.pause();
  const [line, perBatch, batches] = ['x'.repeat(1_000), 50, 600];
  const total = perBatch * batches;
  let most = 0;
  for (let batch = 0; batch < batches; batch++) {
    supervisor.print(
      ...Array.from({ length: perBatch }, (_, index) =>
        `n ${batch * perBatch + index + 1}\r\n${line}`.split('\r\n'),
      ).flat(),
    );
    await quick.until(({ frames }) => frames.at(-1)?.endsWith('x\r\n') === true);
    await new Promise(setImmediate);
    for (const connection of connectionsOf(app)) most = Math.max(most, connection.writableLength);
  }
  await quick.until(({ frames }) => frames.at(-1)?.includes(`n ${total}\r\n`) === true);
  t.same(numbers(quick), upTo(total));
  t.ok(most > 100 * 1024, 'the slow viewer was behind');
  t.ok(most <= 1024 * 1024, `at most 1 MiB was buffered (${most} bytes)`);
  t.ok(numbers(slow).length < total);
  slow.socket.resume();
  await slow.until(({ frames }) => frames.at(-1)?.includes(`n ${total}\r\n`) === true);
  t.same(numbers(slow), upTo(total));
  supervisor.print('n 30001');
  await slow.until(({ frames }) => frames.at(-1) === 'n 30001\r\n');
  t.equal(gateway.sockets.total, 2);
});

t.test('a log that was started again is shown from its beginning', async (t) => {
  const { app, bearer, supervisor, dropSupervisor } = await build(t);
  const headers = await bearer();
  const client = await openConsole(t, app, { headers });
  supervisor.print('old 1', 'old 2', 'old 3');
  await client.until(({ text }) => text().includes('old 3'));
  const comeBack = await dropSupervisor();
  supervisor.startOver();
  supervisor.print('new 1');
  await comeBack();
  await client.until(({ text }) => text().includes('new 1'));
  supervisor.print('new 2');
  await client.until(({ text }) => text().endsWith('new 1\r\nnew 2\r\n'));
  t.notMatch(client.text(), /skipped/);
  const late = await openConsole(t, app, { headers, path: '/ws/instances/demo/console?after=99' });
  await late.until(({ text }) => text() === 'new 1\r\nnew 2\r\n');
});

function connectionsOf(app: Awaited<ReturnType<typeof build>>['app']) {
  return [...app.websocketServer.clients].map(
    (client) => (client as unknown as { _socket: { writableLength: number } })._socket,
  );
}
