import t from 'tap';
import { resolveInstance, resolveUpdate, type Surroundings } from '../../../daemon/instances/resolve-instance.ts';
import type { FolderSettings } from '../../../daemon/instances/server-folder.ts';
import { setCustomSoftware, softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { extendDefinition, type SoftwareFile } from '../../../shared/domain/software/extend-definition.ts';
import { createInstance, type InstanceConfig } from '../../../shared/schema/instance.ts';
import { parseSoftware } from '../../../shared/schema/software.ts';

const HOST = { ownPorts: [25_580], memoryMb: 8_192 };

function surroundings(change: Partial<Surroundings> & { settings?: FolderSettings } = {}): Surroundings {
  return {
    others: [],
    reservedPorts: [25_580, 25_585],
    host: HOST,
    canBind: async () => true,
    hasFolder: () => false,
    folderOf: async (id) => ({
      directory: `/home/instances/${id}`,
      managed: true,
      settings: change.settings ?? { rconEnabled: false },
    }),
    newPassword: () => 'a-new-password',
    now: new Date('2026-11-20T08:00:00Z'),
    ...change,
  };
}

const resolve = (body: object, around = surroundings()): Promise<InstanceConfig> =>
  resolveInstance(createInstance.parse(body), around);

t.test('a name and a kind are enough', async (t) => {
  t.same(await resolve({ name: 'My Démo!', software: 'demo' }), {
    id: 'my-demo',
    name: 'My Démo!',
    software: 'demo',
    version: softwareOf('demo')?.defaultVersion,
    port: 25_565,
    memoryMb: 2048,
    eulaAccepted: false,
    autoStart: false,
    crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 },
    stopTimeoutSeconds: 60,
    directory: '/home/instances/my-demo',
    managed: true,
    env: {},
    rcon: { port: 25_575, password: 'a-new-password', chosen: true },
    createdAt: '2026-11-20T08:00:00.000Z',
  });
  t.match(await resolve({ name: 'x', software: 'vanilla' }), { version: 'latest' });
  t.match(await resolve({ name: 'x', software: 'vanilla', version: '1.21.4', acceptEula: true }), {
    version: '1.21.4',
    eulaAccepted: true,
  });
});

t.test('derived ids are unique, and a requested id that is taken is refused', async (t) => {
  const first = await resolve({ name: 'Demo', software: 'demo' });
  const around = surroundings({ others: [first], hasFolder: (id) => id === 'demo-2' });
  t.equal((await resolve({ name: 'Demo', software: 'demo' }, around)).id, 'demo-3');
  t.equal(
    (await resolve({ name: 'Demo', id: 'demo-2', software: 'demo' }, around)).id,
    'demo-2',
    'an existing folder is used',
  );
  await t.rejects(resolve({ name: 'Other', id: 'demo', software: 'demo' }, around), {
    code: 'instance_exists',
    message: /"demo"/,
  });
  t.equal((await resolve({ name: '世界', software: 'demo' })).id, 'server');
});

t.test('the first free ports that can be bound are chosen', async (t) => {
  const first = await resolve({ name: 'A', software: 'demo' });
  const around = surroundings({ others: [first], canBind: async (port) => port !== 25_566 && port !== 25_577 });
  const second = await resolve({ name: 'B', software: 'demo' }, around);
  t.equal(second.port, 25_567);
  t.equal(second.rcon?.port, 25_578, "at least as far above the game port as Minecraft's default");
  const third = await resolve({ name: 'C', software: 'demo', port: 40_000 }, surroundings());
  t.equal(third.rcon?.port, 25_575, 'never in the range of outgoing connections');
  t.equal(
    (await resolve({ name: 'D', software: 'demo', port: first.port }, around)).port,
    first.port,
    'a requested port may be shared: the two need not run at the same time',
  );
  const high = surroundings({ canBind: async (port) => port > 25_579 });
  t.equal((await resolve({ name: 'E', software: 'demo' }, high)).port, 25_581, "Gamekeeper's own ports are skipped");
  await t.rejects(resolve({ name: 'F', software: 'demo' }, surroundings({ canBind: async () => false })), {
    code: 'port_in_use',
  });
});

t.test('a chosen port is not one for outgoing connections', async (t) => {
  const last = surroundings({ canBind: async (port) => port === 32_767 || port > 32_768 });
  t.equal((await resolve({ name: 'A', software: 'vanilla', rcon: { port: 1, password: 'p' } }, last)).port, 32_767);
  const none = surroundings({ canBind: async (port) => port > 32_767 });
  await t.rejects(resolve({ name: 'B', software: 'demo' }, none), { code: 'port_in_use', message: /32767/ });
});

t.test('Bedrock gets two consecutive UDP ports that no other server has', async (t) => {
  const asked = new Set<string>();
  const around = surroundings({
    canBind: async (port, transport) => {
      asked.add(transport);
      return port !== 19_135;
    },
  });
  const first = await resolve({ name: 'A', software: 'bedrock' }, around);
  t.equal(first.port, 19_132);
  t.same([...asked], ['udp']);
  const next = await resolve({ name: 'B', software: 'bedrock' }, { ...around, others: [first] });
  t.equal(next.port, 19_136, '19133 is the IPv6 port of the first, and 19135 is taken');
});

t.test('RCON comes from the request or the folder, or is chosen', async (t) => {
  const launch = { command: ['./server'] };
  const own = { settings: { rconEnabled: true, rconPort: 4000, rconPassword: 'mine', port: 4001 } };
  t.match(await resolve({ name: 'x', software: 'demo' }, surroundings(own)), {
    port: 4001,
    rcon: { port: 4000, password: 'mine' },
  });
  t.match((await resolve({ name: 'x', software: 'custom', launch }, surroundings(own))).rcon, { port: 4000 });
  t.equal((await resolve({ name: 'x', software: 'custom', launch })).rcon, undefined);
  const off = { settings: { rconEnabled: false, rconPort: 4000, rconPassword: 'mine' } };
  t.match(
    (await resolve({ name: 'x', software: 'demo' }, surroundings(off))).rcon,
    { port: 25_575, password: 'mine' },
    'an existing password is kept',
  );
  const rcon = { port: 5000, password: 'asked' };
  t.same((await resolve({ name: 'x', software: 'demo', rcon }, surroundings(own))).rcon, rcon);
});

t.test('mistakes are reported with the field and the allowed values', async (t) => {
  const launch = { command: ['./server'] };
  const mistakes: [object, RegExp][] = [
    [{ software: 'nothing' }, /^software: .*"nothing".*vanilla, paper.*custom, demo/],
    [{ software: 'bedrock', sleepWhenEmptyMinutes: 10 }, /^sleepWhenEmptyMinutes: a "bedrock" server cannot sleep/],
    [{ software: 'custom' }, /^launch: .*command/],
    [{ software: 'demo', launch }, /^launch: only for software "custom"/],
    [{ software: 'demo', transport: 'udp' }, /^transport: only for software "custom"/],
    [{ software: 'custom', launch, transport: 'udp', sleepWhenEmptyMinutes: 5 }, /^sleepWhenEmptyMinutes: /],
    [{ software: 'custom', launch, readyPattern: 'up', readyAfterSeconds: 5 }, /^readyAfterSeconds: /],
    [{ software: 'custom', launch, env: { gamekeeper_home: '/x' } }, /^env: "gamekeeper_home"/],
    [{ software: 'custom', launch, runAs: 'root' }, /^runAs: /],
    [{ software: 'custom', launch, readyPattern: '(a+)+$' }, /^readyPattern: "\(a\+\)\+\$"/],
    [{ software: 'custom', launch, saveCommands: { savedPattern: '(' } }, /^saveCommands\.savedPattern: /],
  ];
  for (const [body, message] of mistakes)
    await t.rejects(resolve({ name: 'x', ...body }), { code: 'invalid_request', message }, JSON.stringify(body));
});

t.test('a change replaces its fields and is checked like a creation', async (t) => {
  const config = await resolve({ name: 'Demo', software: 'demo' });
  t.same(resolveUpdate(config, { port: 3000, acceptEula: true }, HOST), { ...config, port: 3000, eulaAccepted: true });
  t.throws(() => resolveUpdate(config, { launch: { command: ['x'] } }, HOST), { message: /^launch/ });
  t.throws(() => resolveUpdate(config, { readyPattern: '(?=x)' }, HOST), { message: /^readyPattern/ });
});

t.test('a change is checked together with what is there', async (t) => {
  const launch = { command: ['./server'] };
  const config = await resolve({ name: 'x', software: 'custom', launch, sleepWhenEmptyMinutes: 5, readyPattern: 'up' });
  t.throws(() => resolveUpdate(config, { transport: 'udp' }, HOST), { message: /^sleepWhenEmptyMinutes/ });
  t.throws(() => resolveUpdate(config, { readyAfterSeconds: 5 }, HOST), { message: /^readyAfterSeconds/ });
  t.match(resolveUpdate(config, { transport: 'udp', sleepWhenEmptyMinutes: null }, HOST), { transport: 'udp' });
  t.match(resolveUpdate(config, { readyAfterSeconds: 5, readyPattern: null }, HOST), { readyAfterSeconds: 5 });
});

t.test('null turns sleep off, and a change without the field keeps it', async (t) => {
  const config = await resolve({ name: 'x', software: 'demo', sleepWhenEmptyMinutes: 10 });
  t.equal(resolveUpdate(config, { name: 'y' }, HOST).sleepWhenEmptyMinutes, 10);
  t.equal(resolveUpdate(config, { sleepWhenEmptyMinutes: 5 }, HOST).sleepWhenEmptyMinutes, 5);
  t.notOk('sleepWhenEmptyMinutes' in resolveUpdate(config, { sleepWhenEmptyMinutes: null }, HOST));
});

t.test('null removes a setting', async (t) => {
  const own = { readyAfterSeconds: 5, stopCommand: 'quit', maxPlayers: 4, hangSeconds: 60 };
  const custom = await resolve({ name: 'x', software: 'custom', launch: { command: ['./server'] }, ...own });
  const nulls = Object.fromEntries(Object.keys(own).map((key) => [key, null]));
  const { readyAfterSeconds: _, stopCommand: __, maxPlayers: ___, hangSeconds: ____, ...without } = custom;
  t.same(resolveUpdate(custom, nulls, HOST), without);
  const config = await resolve({ name: 'x', software: 'paper', javaVersion: '21', sleepWhenEmptyMinutes: 5 });
  const changed = resolveUpdate(config, { javaVersion: null }, HOST);
  t.notOk('javaVersion' in changed);
  t.equal(changed.sleepWhenEmptyMinutes, 5, 'other settings are kept');
  t.notOk('sleepWhenEmptyMinutes' in resolveUpdate(config, { sleepWhenEmptyMinutes: null }, HOST));
});

t.test('a port that cannot work and memory that is not there are refused at once', async (t) => {
  const own = { name: 'x', software: 'demo', port: 25_580 };
  await t.rejects(resolve(own), { code: 'invalid_request', message: /^port: Gamekeeper itself uses 25580/ });
  await t.rejects(resolve({ name: 'x', software: 'demo', memoryMb: 8_193 }), {
    message: /^memoryMb: .* 8192 MB/,
    errors: [{ field: 'memoryMb', rule: 'exceeds_machine', limit: 8_192 }],
  });
  const config = await resolve({ name: 'x', software: 'demo', rcon: { port: 4_000, password: 'one that is long' } });
  t.throws(() => resolveUpdate(config, { port: 4_000 }, HOST), { message: /^port: 4000 is also .* RCON port/ });
  t.throws(() => resolveUpdate(config, { port: 25_580 }, HOST), { message: /^port: Gamekeeper/ });
  t.throws(() => resolveUpdate(config, { memoryMb: 9_000 }, HOST), { message: /^memoryMb/ });
  t.equal(resolveUpdate({ ...config, port: 25_580 }, { name: 'y' }, HOST).name, 'y', 'other changes stay possible');
  const small = surroundings({ host: { ...HOST, memoryMb: 1_024 } });
  t.equal((await resolve({ name: 'x', software: 'demo' }, small)).memoryMb, 2_048, 'the default is not refused');
});

t.test('further ports of a kind, its time to stop and its variables are settled', async (t) => {
  const file = {
    ...{ kind: 'mine', title: 'Mine', defaultVersion: '1', gamePort: { first: 27_015, transport: 'udp' } },
    launch: { type: 'system', program: ['game'], args: [], env: {}, missing: 'Install game.' },
    stop: { signal: 'INT', graceSeconds: 90 },
    ports: [
      { name: 'query', transport: 'udp', offset: 1 },
      { name: 'web', transport: 'tcp', first: 27_015 },
    ],
    variables: [{ name: 'map', type: 'text', default: 'dust', editableBy: 'operator' }],
  };
  setCustomSoftware([parseSoftware(extendDefinition(file as SoftwareFile, []))]);
  t.teardown(() => setCustomSoftware([]));
  const first = await resolve({ name: 'A', software: 'mine', variables: { map: 'aztec' } });
  t.match(first, { port: 27_015, ports: { web: 27_017 }, stopTimeoutSeconds: 90, variables: { map: 'aztec' } });
  const around = surroundings({
    others: [first],
    canBind: async (port, transport) => port !== 27_019 || transport === 'tcp',
  });
  const second = await resolve({ name: 'B', software: 'mine', stopTimeoutSeconds: 5 }, around);
  t.match(second, { port: 27_020, ports: { web: 27_018 }, stopTimeoutSeconds: 5 }, 'a row of ports is free together');
  t.same((await resolve({ name: 'C', software: 'mine', ports: { web: 80 } })).ports, { web: 80 });
  t.same(resolveUpdate(first, { ports: { web: 81 } }, HOST).ports, { web: 81 });
  for (const body of [{ ports: { query: 1 } }, { ports: { x: 1 } }, { variables: { x: 1 } }])
    await t.rejects(resolve({ name: 'D', software: 'mine', ...body }), { code: 'invalid_request' });
  t.throws(() => resolveUpdate(first, { ports: { x: 1 } }, HOST), { message: /no port "x" to set\. It has web\./ });
});
