import path from 'node:path';
import { initTRPC } from '@trpc/server';
import t from 'tap';
import { asSent, type CallContext, trusted } from '../../../../shared/contract/call.ts';
import { createIpcClient } from '../../../../shared/node/ipc/client.ts';
import { serveIpc } from '../../../../shared/node/ipc/server.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const trpc = initTRPC.context<CallContext<null>>().create({ transformer: asSent });
const router = trpc.router({
  chunks: trpc.procedure
    .input(trusted<number[]>())
    .query(({ input }): Uint8Array[] => input.map((size) => new Uint8Array(size).fill(size))),
});

t.test('an array of byte strings arrives as it was sent', async (t) => {
  const socketPath = path.join(temporaryFolder(t), 's');
  const onError = (error: unknown) => t.fail(String(error));
  const server = await serveIpc({ socketPath, name: 'test', version: '0', router, service: null, onError });
  const client = createIpcClient<typeof router>({
    socketPath,
    name: 'test',
    unavailable: 'worker_unavailable',
    streams: [],
  });
  t.teardown(async () => {
    client.close();
    await server.close();
  });
  for (const sizes of [[], [3], [0, 1, 255, 0], [100_000, 7]]) {
    const chunks = await client.call.chunks(sizes);
    t.same(
      chunks.map((chunk) => chunk.length),
      sizes,
    );
    for (const chunk of chunks) t.ok(chunk.every((byte) => byte === (chunk.length & 255)));
  }
});
