import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { WebSocket } from 'ws';
import { type DemoServer, startDemoServer } from '../../../fixtures/demo-server.ts';

/** Without TLS, which needs a keystore. */
const PROPERTIES = { 'management-server-enabled': 'true', 'management-server-tls-enabled': 'false' };

t.test('requires the secret, and generates one if there is none', async (t) => {
  const server = await startDemoServer(t, { properties: PROPERTIES });
  t.match(await secretOf(server), /^[A-Za-z0-9]{40}$/);
  for (const authorization of [undefined, 'Bearer ', `Bearer ${'x'.repeat(40)}`, await secretOf(server)]) {
    const socket = new WebSocket(addressOf(server), { headers: authorization === undefined ? {} : { authorization } });
    const [error] = (await once(socket, 'error')) as [Error];
    t.match(error.message, /401/);
  }
});

t.test('speaks JSON-RPC 2.0, and reports who joins and leaves', async (t) => {
  const server = await startDemoServer(t, { properties: PROPERTIES });
  const { ask, heard, send } = await connect(server);
  t.match(await ask('rpc.discover'), { result: { info: { title: 'Minecraft Server JSON-RPC' } } });
  t.match(await ask('minecraft:server/status'), { result: { started: true, version: { protocol: 765 } } });
  t.match(await ask('minecraft:nothing'), {
    error: { code: -32_601, message: 'Method not found', data: 'Method not found: minecraft:nothing' },
  });
  t.match(await ask('minecraft:bans/add', ['Steve']), { error: { code: -32_602 } });
  send('no JSON');
  server.type('demo join Steve');
  server.type('demo leave Steve');
  await server.waitForLine(/Steve is now offline/);
  await ask('minecraft:players');
  const steve = { id: '5627dd98-e6be-3c21-b8a8-e92344183641', name: 'Steve' };
  t.match(heard, [
    { id: null, error: { code: -32_700 } },
    { jsonrpc: '2.0', method: 'minecraft:notification/players/joined', params: [steve] },
    { jsonrpc: '2.0', method: 'minecraft:notification/players/left', params: [steve] },
  ]);
});

t.test('changes the lists for known names, and returns the changed list', async (t) => {
  const server = await startDemoServer(t, { properties: { ...PROPERTIES, 'online-mode': 'true' } });
  const { ask } = await connect(server);
  server.type('demo join Steve');
  await server.waitForLine(/Steve is now online/);
  t.match(await ask('minecraft:allowlist/add', [[{ name: 'steve' }, { name: 'Nobody' }]]), {
    result: [{ name: 'Steve' }],
  });
  t.match(await ask('minecraft:operators/add', [[{ player: { name: 'Steve' } }]]), {
    result: [{ player: { name: 'Steve' }, permissionLevel: 4, bypassesPlayerLimit: false }],
  });
  t.match(await ask('minecraft:bans/add', [[{ player: { name: 'Steve' }, reason: 'x-ray' }]]), {
    result: [{ player: { name: 'Steve' }, reason: 'x-ray', source: 'Management server' }],
  });
  await server.waitForLine(/Steve left the game/);
  t.match(await ask('minecraft:players/kick', { kick: [{ player: { name: 'Steve' } }] }), { result: [] });
  for (const list of ['bans', 'operators', 'allowlist'])
    t.same((await ask(`minecraft:${list}/remove`, [[{ name: 'STEVE' }]])).result, [], list);
});

t.test('changes settings at once, and stores them', async (t) => {
  const server = await startDemoServer(t, { properties: PROPERTIES });
  const { ask } = await connect(server);
  t.match(await ask('minecraft:serversettings/max_players/set', [7]), { result: 7 });
  t.match(await ask('minecraft:serversettings/motd/set', { message: 'Hi' }), { result: 'Hi' });
  t.match(await ask('minecraft:serversettings/motd/set', [7]), { error: { code: -32_602 } });
  t.match(await ask('minecraft:serversettings/max_players'), { result: 7 });
  t.match(await ask('minecraft:serversettings/motd'), { result: 'Hi' });
  t.match(await readFile(path.join(server.dir, 'server.properties'), 'utf8'), /^max-players=7\nmotd=Hi$/m);
});

interface Message {
  id?: number | null;
  method?: string;
  result?: unknown;
  error?: unknown;
}

async function connect(server: DemoServer) {
  const socket = new WebSocket(addressOf(server), { headers: { authorization: `Bearer ${await secretOf(server)}` } });
  await once(socket, 'open');
  const heard: Message[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message;
    if (typeof message.id === 'number') waiting.get(message.id)?.(message);
    else heard.push(message);
  });
  let id = 0;
  return {
    heard,
    send: (text: string) => socket.send(text),
    ask(method: string, params?: unknown): Promise<Message> {
      id++;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}

function addressOf({ lines }: DemoServer): string {
  const port = lines.map((line) => /Management connection listening on localhost:(\d+)$/.exec(line)?.[1]).find(Boolean);
  return `ws://localhost:${port}`;
}

async function secretOf({ dir }: DemoServer): Promise<string> {
  const text = await readFile(path.join(dir, 'server.properties'), 'utf8');
  return /^management-server-secret=(.*)$/m.exec(text)?.[1] ?? '';
}
