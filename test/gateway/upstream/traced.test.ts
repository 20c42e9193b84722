import t from 'tap';
import { withinRequest } from '../../../gateway/http/request.ts';
import { traced } from '../../../gateway/upstream/traced.ts';
import type { DaemonRouter } from '../../../shared/contract/daemon.ts';
import type { IpcClient } from '../../../shared/node/ipc/client.ts';

t.test('calls for a request carry its id, others none', async (t) => {
  const heard: unknown[] = [];
  const call = new Proxy(
    {},
    { get: (_, name) => (input: unknown, options: unknown) => heard.push([name, input, options]) },
  );
  const client = traced({ call } as unknown as IpcClient<DaemonRouter>);
  await withinRequest('r1', async () => {
    await new Promise(setImmediate);
    void client.call.instance('demo');
    void client.call.instance('demo', { timeoutMs: 5 });
  });
  void client.call.instance('demo');
  t.same(heard, [
    ['instance', 'demo', { requestId: 'r1' }],
    ['instance', 'demo', { requestId: 'r1', timeoutMs: 5 }],
    ['instance', 'demo', undefined],
  ]);
});

t.test('calls can be returned by async functions', async (t) => {
  const call = new Proxy({}, { get: (_, name) => () => t.fail(`called ${String(name)}`) });
  const client = traced({ call } as unknown as IpcClient<DaemonRouter>);
  t.equal(await Promise.resolve(client.call), client.call);
});
