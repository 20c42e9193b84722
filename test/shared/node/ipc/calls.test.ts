import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { initTRPC } from '@trpc/server';
import t, { type Test } from 'tap';
import { asSent, type CallContext, trusted } from '../../../../shared/contract/call.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { createIpcClient } from '../../../../shared/node/ipc/client.ts';
import { serveIpc } from '../../../../shared/node/ipc/server.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const trpc = initTRPC.context<CallContext<{ offset: number }>>().create({ transformer: asSent });
let streamsEnded = 0;
const router = trpc.router({
  add: trpc.procedure.input(trusted<number>()).query(({ ctx, input }) => ctx.service.offset + input),
  nothing: trpc.procedure.mutation(() => undefined),
  bytes: trpc.procedure.query(() => new Uint8Array([1, 2, 3])),
  refuse: trpc.procedure.mutation(() => {
    throw new GamekeeperError('port_in_use', 'Port 1 is taken.', { resolution: 'Take 2.', retryAfterSeconds: 7 });
  }),
  leak: trpc.procedure.query(() => {
    throw new Error('secret path /etc/x');
  }),
  hang: trpc.procedure.query(() => new Promise<void>(() => undefined)),
  letters: trpc.procedure.input(trusted<number>()).subscription(async function* ({ input }) {
    for (let n = 0; n < input; n++) yield new Uint8Array(50_000).fill(n);
  }),
  count: trpc.procedure.input(trusted<number>()).subscription(async function* ({ input, signal }) {
    try {
      for (let n = 1; n <= input && !signal?.aborted; n++) {
        yield n;
        await delay(0);
      }
    } finally {
      streamsEnded++;
    }
  }),
});
type TestRouter = typeof router;

async function pair(t: Test) {
  const socketPath = path.join(temporaryFolder(t), 's');
  const serve = () =>
    serveIpc({ socketPath, name: 'test', version: '0', router, service: { offset: 10 }, onError: () => undefined });
  const server = await serve();
  const client = createIpcClient<TestRouter>({
    socketPath,
    name: 'test',
    unavailable: 'worker_unavailable',
    streams: ['count', 'letters'],
  });
  t.teardown(async () => {
    client.close();
    await server.close();
  });
  return { socketPath, server, client, serve };
}

t.test('calls carry input, output and bytes', async (t) => {
  const { client, socketPath } = await pair(t);
  t.equal(await client.call.add(5), 15);
  t.equal(await client.call.nothing(), undefined);
  t.same([...(await client.call.bytes())], [1, 2, 3]);
  t.equal((await client.hello()).pid, process.pid);
  t.equal((await stat(socketPath)).mode & 0o777, 0o600, 'other users cannot connect');
});

t.test('a coded error arrives completely, any other without its message', async (t) => {
  const { client } = await pair(t);
  await t.rejects(client.call.refuse(), {
    code: 'port_in_use',
    message: 'Port 1 is taken.',
    resolution: 'Take 2.',
    retryAfterSeconds: 7,
  });
  const leak = await client.call.leak().catch((error: unknown) => error as GamekeeperError);
  t.match(leak, { code: 'internal_error' });
  t.notMatch(String(leak), /secret/);
});

t.test('a call without an answer ends by its timeout or its signal', async (t) => {
  const { client } = await pair(t);
  await t.rejects(client.call.hang(undefined, { timeoutMs: 20 }), { code: 'worker_unavailable' });
  const controller = new AbortController();
  const hanging = client.call.hang(undefined, { signal: controller.signal });
  controller.abort(new Error('changed my mind'));
  await t.rejects(hanging, { message: 'changed my mind' });
});

t.test('a stream yields its items, and its source ends when the reader stops', async (t) => {
  const { client } = await pair(t);
  const seen: number[] = [];
  for await (const n of client.call.count(3)) seen.push(n);
  t.same(seen, [1, 2, 3]);

  const before = streamsEnded;
  for await (const n of client.call.count(1_000_000)) if (n === 2) break;
  while (streamsEnded === before) await delay(1);
  t.pass('the source ended');
});

t.test('an answer of bytes can be taken as it arrives, and a taker that fails harms only its call', async (t) => {
  const { client } = await pair(t);
  const taken: number[][] = [];
  t.equal(await client.call.bytes(undefined, { onBytes: (bytes) => void taken.push([...bytes]) }), undefined);
  t.same(taken, [[1, 2, 3]]);
  const onBytes = () => {
    throw new Error('no room');
  };
  await t.rejects(client.call.bytes(undefined, { onBytes }), { message: 'no room' });
  t.equal(await client.call.add(1), 11);
});

t.test('bytes of a stream can be taken as they arrive, or kept', async (t) => {
  const { client } = await pair(t);
  const expected = Array.from({ length: 100 }, (_, n) => n);
  const taken: number[] = [];
  const memory = new Set<ArrayBufferLike>();
  await client.call.letters(100).forEach((bytes) => {
    memory.add(bytes.buffer);
    if (bytes.length === 50_000 && bytes.every((byte) => byte === bytes[0])) taken.push(bytes[0]!);
  });
  t.same(taken, expected);
  t.ok(memory.size < 20, 'the memory is reused');

  const kept: Uint8Array[] = [];
  for await (const bytes of client.call.letters(100)) kept.push(bytes);
  t.same(
    kept.map((bytes) => (bytes.every((byte) => byte === bytes[0]) ? bytes[0] : 'overwritten')),
    expected,
  );
});

t.test('taking items ends with the stream, with its signal, with an error of the taker', async (t) => {
  const { client, server } = await pair(t);
  const seen: number[] = [];
  await client.call.count(3).forEach((n) => void seen.push(n));
  t.same(seen, [1, 2, 3]);

  for (const end of ['abort', 'throw'] as const) {
    const before = streamsEnded;
    const controller = new AbortController();
    const taking = client.call.count(1_000_000, { signal: controller.signal }).forEach((n) => {
      if (n < 2) return;
      if (end === 'throw') throw new Error('enough');
      controller.abort();
    });
    if (end === 'throw') await t.rejects(taking, { message: 'enough' });
    else await taking;
    while (streamsEnded === before) await delay(1);
  }

  const lost = client.call.count(1_000_000).forEach(() => {});
  await client.hello();
  void server.close();
  await t.rejects(lost, { code: 'worker_unavailable' });
});

t.test('if the peer exits, running calls fail, and the next call reaches the new peer', async (t) => {
  const { client, server, serve } = await pair(t);
  await client.hello();
  const hanging = client.call.hang();
  const lost = new Promise<void>((resolve) => client.onLost(resolve));
  await server.close();
  await t.rejects(hanging, { code: 'worker_unavailable' });
  await lost;
  await t.rejects(client.call.add(1), { code: 'worker_unavailable' });
  const again = await serve();
  t.equal(await client.call.add(1), 11);
  await again.close();
});

t.test('a client that sends garbage is disconnected and harms no other', async (t) => {
  const { client, socketPath } = await pair(t);
  const stranger = connect(socketPath);
  stranger.on('error', () => undefined);
  stranger.write('GET / HTTP/1.1\r\n\r\n');
  await once(stranger.resume(), 'close');
  t.equal(await client.call.add(1), 11);
});

t.test('a client refuses a socket of another process', async (t) => {
  const { socketPath } = await pair(t);
  const other = createIpcClient<TestRouter>({
    socketPath,
    name: 'another',
    unavailable: 'daemon_unavailable',
    streams: [],
  });
  await t.rejects(other.call.add(1), { code: 'daemon_unavailable' });
  other.close();
});
