import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

type Problem = { code: string; detail: string };

async function create(gamekeeper: Gamekeeper, id: string, parts: object = {}): Promise<Instance> {
  const { status, body } = await gamekeeper.api<Instance>('POST', '/instances', {
    ...{ name: id, id, software: 'demo', port: undefined },
    ...parts,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const propertiesOf = async (gamekeeper: Gamekeeper, id: string) =>
  (await gamekeeper.api<{ properties: Record<string, string> }>('GET', `/instances/${id}/properties`)).body.properties;
const portOf = async (gamekeeper: Gamekeeper, id: string) =>
  (await gamekeeper.api<Instance>('GET', `/instances/${id}`)).body.port;

t.test('one of two simultaneous starts on the same port wins, and the error of the other names it', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const port = await freePort();
  await Promise.all(['one', 'two'].map((id) => create(gamekeeper, id, { port })));
  const answers = await Promise.all(
    ['one', 'two'].map((id) => gamekeeper.api<Problem>('POST', `/instances/${id}/start`)),
  );
  t.same(answers.map(({ status }) => status).sort(), [200, 409]);
  const [winner, loser] = answers[0]?.status === 200 ? ['one', 'two'] : ['two', 'one'];
  const refused = answers.find(({ status }) => status === 409)?.body;
  const message = `The port ${port} is in use by the instance "${winner}", as its port.`;
  t.match(refused, { code: 'port_in_use', detail: message });

  await gamekeeper.waitForStatus(winner!, 'running');
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  const again = await gamekeeper.api<Problem>('POST', `/instances/${loser}/start`);
  t.match(again.body, { code: 'port_in_use', detail: message }, 'also after the next daemon has started');

  await gamekeeper.api('POST', `/instances/${winner}/stop`);
  await gamekeeper.waitForStatus(winner!, 'stopped');
  t.equal((await gamekeeper.api('POST', `/instances/${loser}/start`)).status, 200, 'the port is free after the stop');
});

t.test('every port of a server is checked, and another program that uses it is named with its pid', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const [query, first, second] = [await freePort(), await freePort(), await freePort()];
  for (const [id, port] of [
    ['one', first],
    ['two', second],
  ] as const) {
    await create(gamekeeper, id, { port });
    const properties = { 'enable-query': 'true', 'query.port': String(query) };
    t.equal((await gamekeeper.api('PUT', `/instances/${id}/properties`, { properties })).status, 200);
  }
  t.equal((await gamekeeper.api('POST', '/instances/one/start')).status, 200);
  t.match((await gamekeeper.api<Problem>('POST', '/instances/two/start')).body, {
    code: 'port_in_use',
    detail: `The query port ${query} is in use by the instance "one", as its query port.`,
  });
  const suggested = async (id: string) => {
    const { crash } = (await gamekeeper.api<Instance>('GET', `/instances/${id}`)).body;
    return crash?.failedStart?.portChange;
  };
  t.match(await suggested('two'), { setting: 'properties', key: 'query.port' });

  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const { port } = holder.address() as { port: number };
  await create(gamekeeper, 'three', { port });
  const refused = await gamekeeper.api<Problem>('POST', '/instances/three/start');
  t.match(refused.body, {
    code: 'port_in_use',
    detail: new RegExp(`^The port ${port} is in use by \\S+ \\(process ${process.pid}\\)`),
  });
  const change = await suggested('three');
  t.match(change, { setting: 'port', key: 'port' });
  t.notOk([port, query, first, second].includes(change!.port), 'another port is suggested');
  t.match((await gamekeeper.api('PATCH', '/instances/three', { port: change!.port })).status, 200);
  t.equal((await gamekeeper.api('POST', '/instances/three/start')).status, 200, 'with which it starts');
  const own = Number(new URL(gamekeeper.addresses().panel).port);
  await create(gamekeeper, 'four', { port: own });
  const ours = await gamekeeper.api<Problem>('POST', '/instances/four/start');
  t.match(ours.body, { code: 'port_in_use', detail: `The port ${own} is in use by Gamekeeper itself.` });
});

t.test('servers that are created at the same time get different ports', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('GET', '/instances'); // Creates the token before the requests in parallel.
  const made = await Promise.all(Array.from({ length: 12 }, (_, index) => create(gamekeeper, `many-${index}`)));
  const files = await Promise.all(made.map(({ id }) => propertiesOf(gamekeeper, id)));
  const ports = files.flatMap((properties) => [properties['server-port'], properties['rcon.port']].map(Number));
  t.equal(new Set(ports).size, 24, 'of game and RCON');
  t.ok(Math.max(...ports) < 32_768, 'no port is in the range of outgoing connections');
});

t.test('properties and instance keep the same port, wherever it is changed', async (t) => {
  const own = await freePort();
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_PORT: String(own) } });
  const [first, second, third, fourth] = [await freePort(), await freePort(), await freePort(), await freePort()];
  await create(gamekeeper, 'demo', { port: first });
  t.equal((await propertiesOf(gamekeeper, 'demo'))['server-port'], String(first), 'before the file exists');
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await gamekeeper.api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  const file = path.join(gamekeeper.home, 'instances/demo/server.properties');
  const onDisk = async () => /^server-port=(\d+)$/m.exec(await readFile(file, 'utf8'))?.[1];

  t.match((await gamekeeper.api('PATCH', '/instances/demo', { port: second })).body, { port: second });
  t.equal(await onDisk(), String(second), 'PATCH changes the file');
  await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { 'server-port': String(third) } });
  t.equal(await portOf(gamekeeper, 'demo'), third, 'PUT changes the instance');
  const refused = await gamekeeper.api<Problem>('PUT', '/instances/demo/properties', {
    properties: { 'server-port': String(own), motd: 'Never' },
  });
  t.match(refused, {
    status: 400,
    body: { code: 'invalid_request', detail: `port: Gamekeeper itself uses ${own}. Choose another port.` },
  });
  t.equal(await onDisk(), String(third), 'a port that can never work is refused');
  await create(gamekeeper, 'other', { port: second });
  const warned = await gamekeeper.api('PUT', '/instances/demo/properties', {
    properties: { 'enable-query': 'true', 'server-port': String(second) },
  });
  t.match(warned, { status: 200, body: { warnings: [new RegExp(`port ${second} .* of the instance "other"\\.`)] } });
  await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { 'server-port': String(third) } });

  await writeFile(file, (await readFile(file, 'utf8')).replace(`server-port=${third}`, `server-port=${fourth}`));
  t.equal((await gamekeeper.api('POST', '/instances/demo/start')).status, 200);
  await gamekeeper.waitForStatus('demo', 'running');
  await until(
    'the instance has the port that was edited in the file',
    async () => (await portOf(gamekeeper, 'demo')) === fourth,
  );
  t.equal(await onDisk(), String(fourth));
  const [error] = await once(createServer().listen(fourth, '127.0.0.1'), 'error');
  t.match(error, { code: 'EADDRINUSE' }, 'the game listens there');
});
