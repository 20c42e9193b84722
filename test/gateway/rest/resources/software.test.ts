import t from 'tap';
import { build } from '../../../support/processes/gateway-app.ts';

const text = JSON.stringify({ kind: 'arena', extends: 'custom', title: 'Arena' });

t.test('only local administrators add kinds, since a kind decides which program runs', async (t) => {
  const { app, addUser, bearer, cookie } = await build(t);
  await addUser('boss', 'admin');
  const send = async (headers: Record<string, string>, method: 'POST' | 'DELETE', url: string) =>
    app.inject({ method, url, headers, ...(method === 'POST' && { payload: { text } }) });
  const limited = await bearer(['servers:read', 'servers:write'], 'boss');
  t.match((await send(limited, 'POST', '/software')).json(), {
    ...{ code: 'insufficient_scope', detail: 'Only a local administrator may set kinds of software.' },
  });
  t.equal((await send(limited, 'POST', '/software/check')).statusCode, 200, 'checking changes nothing');
  const saved = await send(await cookie('boss'), 'POST', '/software');
  t.equal(saved.statusCode, 201, saved.body);
  t.match(saved.json(), { kind: 'arena', own: true, command: true, program: 'command', family: 'program' });
  t.equal((await send(await cookie('boss'), 'DELETE', '/software/none')).statusCode, 404);
});

t.test('operators add and remove none', async (t) => {
  const { app, addUser, bearer } = await build(t);
  await addUser('op', 'operator');
  const headers = await bearer(undefined, 'op');
  for (const [method, url] of [
    ['POST', '/software'],
    ['POST', '/software/check'],
    ['DELETE', '/software/arena'],
  ] as const)
    t.match((await app.inject({ method, url, headers, ...(method === 'POST' && { payload: { text } }) })).json(), {
      code: 'insufficient_scope',
    });
});

t.test('a file that is too large is refused', async (t) => {
  const { app, cookie } = await build(t);
  const payload = { text: 'x'.repeat(512 * 1024 + 1) };
  const answer = await app.inject({ method: 'POST', url: '/software/check', headers: await cookie(), payload });
  t.match(answer.json(), { code: 'invalid_request', detail: /text/ });
});

t.test('the list says where a program comes from, and what a server can become', async (t) => {
  const { app, bearer } = await build(t);
  const { body } = await app.inject({ url: '/software', headers: await bearer(['servers:read']) });
  const kinds = JSON.parse(body) as { kind: string }[];
  const find = (name: string) => kinds.find(({ kind }) => kind === name);
  t.match(find('paper'), { program: 'installed', family: 'minecraft-java' });
  t.match(find('demo'), { program: 'included' });
  t.match(find('luanti'), { program: 'system', missing: /\w/ });
  t.match(find('custom'), { program: 'command', family: 'program' });
  for (const name of ['demo', 'bedrock', 'velocity', 'luanti']) t.notHas(find(name), { family: String });
});
