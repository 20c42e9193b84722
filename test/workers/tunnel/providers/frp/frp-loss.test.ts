/** When a tunnel through frp counts as lost, with a stand-in for frpc's admin API (test/fixtures/frpc.js cites its source). */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { untilFrpLost } from '../../../../../workers/tunnel/providers/frp/frp-loss.ts';
import { readStatus } from '../../../../../workers/tunnel/providers/frp/frp-status.ts';

const PROXY = { name: 'demo', transport: 'tcp' } as const;
const EVERY_MS = 5;
const WITHIN_MS = 50;

type Answer = 'running' | 'closed' | 'unknown' | 'late';

/** Answers look after look with one of `answers`, and the last one for ever. */
async function lostAfter(t: Test, answers: Answer[], ended = new Promise<string>(() => undefined)) {
  const held: ServerResponse[] = [];
  let looks = 0;
  const server = createServer((_request, response) => {
    const answer = answers[Math.min(looks++, answers.length - 1)];
    if (answer === 'late') held.push(response);
    else response.end(JSON.stringify(answer === 'unknown' ? {} : { tcp: [{ name: 'demo', status: answer }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const response of held) response.destroy();
    server.close();
    server.closeAllConnections();
  });
  const admin = { port: (server.address() as AddressInfo).port, user: 'gamekeeper', password: 'secret' };
  const look = () => readStatus(admin, PROXY, WITHIN_MS);
  const reason = await untilFrpLost(ended, { look, everyMs: EVERY_MS });
  return { reason, looks };
}

t.test('late answers do not count while others come', async (t) => {
  const answers: Answer[] = ['running', 'late', 'running', 'late', 'late', 'running', 'closed'];
  t.same(await lostAfter(t, answers), { reason: 'The connection to frps was lost.', looks: 7 });
});

t.test('three answers in a row that do not come', async (t) => {
  t.same(await lostAfter(t, ['running', 'late']), { reason: 'frpc does not answer any more.', looks: 4 });
});

t.test('a proxy that frpc does not know any more', async (t) => {
  t.same(await lostAfter(t, ['running', 'unknown']), { reason: 'The connection to frps was lost.', looks: 2 });
});

t.test('frpc that has ended, also when its last answers do not come', async (t) => {
  t.same(await lostAfter(t, ['running'], Promise.resolve('status 1')), { reason: 'frpc ended (status 1).', looks: 0 });
  const { promise, resolve } = Promise.withResolvers<string>();
  setTimeout(resolve, WITHIN_MS, 'SIGKILL');
  t.match(await lostAfter(t, ['late'], promise), { reason: 'frpc ended (SIGKILL).' });
});
