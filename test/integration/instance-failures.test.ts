import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

const DEMO = path.join(import.meta.dirname, '../../dist/workers/demo/main.js');

async function create(gamekeeper: Gamekeeper, body: object): Promise<string> {
  const { status, body: instance } = await gamekeeper.api<Instance>('POST', '/instances', body);
  if (status !== 201) throw new Error(`not created: ${JSON.stringify(instance)}`);
  return instance.id;
}

async function logOf(gamekeeper: Gamekeeper, id: string): Promise<string> {
  return (await gamekeeper.api<{ lines: string[] }>('GET', `/instances/${id}/logs?lines=1000`)).body.lines.join('\n');
}

const gamekeeper = await startGamekeeper(t);

t.test('a missing program is named and the instance stays stopped', async (t) => {
  const id = await create(gamekeeper, {
    name: 'Missing',
    software: 'custom',
    launch: { command: ['./no-such-program'] },
  });
  const { status, body } = await gamekeeper.api('POST', `/instances/${id}/start`);
  t.equal(status, 422);
  t.match(body, { code: 'launch_failed', detail: /no-such-program/ });
  t.match(await gamekeeper.waitForStatus(id, 'stopped'), { status: 'stopped' });
});

t.test('a file that may not be executed is named', async (t) => {
  const id = await create(gamekeeper, {
    name: 'Forbidden',
    software: 'custom',
    launch: { command: ['./server.sh'] },
  });
  const file = path.join(gamekeeper.home, 'instances', id, 'server.sh');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '#!/bin/sh\necho hi\n');
  await chmod(file, 0o600);
  t.match(await gamekeeper.api('POST', `/instances/${id}/start`), { status: 422, body: { detail: /server\.sh/ } });
});

t.test('a program that ends at once is reported as a crash with its exit code and last output', async (t) => {
  const id = await create(gamekeeper, {
    name: 'Short',
    software: 'custom',
    launch: { command: ['/bin/sh', '-c', 'echo the last words; exit 7'] },
    crashPolicy: { restart: 'never' },
  });
  await gamekeeper.api('POST', `/instances/${id}/start`);
  const crashed = await until('it crashed', async () => {
    const { body } = await gamekeeper.api<Instance>('GET', `/instances/${id}`);
    return body.phase === 'crashed' && body;
  });
  t.match(crashed, { status: 'stopped', crash: { exitCode: 7, signal: null, restarts: 0 } });
  t.match(await logOf(gamekeeper, id), /the last words/);
  await gamekeeper.api('DELETE', `/instances/${id}?files=keep`);
  const launch = {
    command: ['/bin/sh', '-c', 'trap "echo interrupted; exit" INT; echo ready; while :; do sleep 0.1; done', ''],
  };
  const again = { name: 'Again', id, software: 'custom', launch, readyPattern: '^ready', stopCommand: '\u0003' };
  await create(gamekeeper, again);
  t.match(
    await gamekeeper.api('GET', `/instances/${id}/crashes`),
    { body: { crashes: [] } },
    'those of an earlier server are gone',
  );
  await gamekeeper.api('POST', `/instances/${id}/start`);
  await gamekeeper.waitForStatus(id, 'running');
  await gamekeeper.api('POST', `/instances/${id}/stop`);
  await gamekeeper.waitForStatus(id, 'stopped');
  t.match(await logOf(gamekeeper, id), /sending SIGINT[\s\S]*interrupted/);
});

t.test('a taken port is named before the start', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  const id = await create(gamekeeper, { name: 'Conflict', software: 'demo', port });
  t.match(await gamekeeper.api('POST', `/instances/${id}/start`), {
    status: 409,
    body: { code: 'port_in_use', detail: new RegExp(`${port}`) },
  });
  holder.close();
  await once(holder, 'close');
  t.match(await gamekeeper.api('POST', `/instances/${id}/start`), { status: 200 }, 'it starts once the port is free');
  await gamekeeper.waitForStatus(id, 'running');
  t.match(await gamekeeper.api('POST', `/instances/${id}/start`), {
    status: 409,
    body: { code: 'invalid_state', detail: /running/ },
  });
  t.match(await gamekeeper.api('DELETE', `/instances/${id}`), { status: 409, body: { code: 'invalid_state' } });
  t.match(await gamekeeper.api('POST', `/instances/${id}/stop`), { status: 200 });
  await gamekeeper.waitForStatus(id, 'stopped');
  t.match(await gamekeeper.api('POST', `/instances/${id}/stop`), {
    status: 409,
    body: { code: 'invalid_state', detail: /stopped/ },
  });
});

t.test('a start without an accepted EULA asks for it', async (t) => {
  const id = await create(gamekeeper, { name: 'Licensed', software: 'vanilla', version: '1.21.4' });
  t.match(await gamekeeper.api('POST', `/instances/${id}/start`), {
    status: 409,
    body: { code: 'eula_not_accepted' },
  });
});

t.test('a refused creation leaves nothing behind', async (t) => {
  const before = (await gamekeeper.api<Instance[]>('GET', '/instances')).body.length;
  const mistakes: [object, RegExp][] = [
    [{ software: 'demo' }, /name/],
    [{ name: 'x', software: 'no-such-kind' }, /no-such-kind|software/],
    [{ name: 'x', software: 'demo', port: 70_000 }, /port/],
    [{ name: 'x', software: 'demo', colour: 'red' }, /colour/],
    [{ name: 'x', software: 'demo', id: '../up' }, /id/],
    [{ name: 'x', software: 'custom' }, /launch/],
    [{ name: 'x', software: 'custom', launch: { command: ['', 'x'] } }, /launch/],
    [{ name: 'x', software: 'custom', launch: { command: ['x'] }, directory: 'relative' }, /directory/],
    [{ name: 'x', software: 'custom', launch: { command: ['x'] }, directory: '/no/such/folder' }, /no\/such\/folder/],
    [{ name: 'x', software: 'custom', launch: { command: ['x'] }, readyPattern: '(a+)+$' }, /readyPattern/],
  ];
  for (const [body, named] of mistakes) {
    t.match(
      await gamekeeper.api('POST', '/instances', body),
      { status: 400, body: { code: 'invalid_request', detail: named } },
      JSON.stringify(body),
    );
  }
  t.equal((await gamekeeper.api<Instance[]>('GET', '/instances')).body.length, before);
});

t.test('a stop uses the console at once if RCON does not answer', async (t) => {
  const rconPort = await freePort();

  for (const [name, properties] of [
    ['Refused', ''],
    ['Wrong', `enable-rcon=true\nrcon.port=${rconPort}\nrcon.password=the-real-password\n`],
  ] as const) {
    await t.test(name, async (t) => {
      const port = await freePort();
      const directory = temporaryFolder(t);
      await writeFile(
        path.join(directory, 'server.properties'),
        `server-port=${port}\nserver-ip=127.0.0.1\n${properties}`,
      );
      const id = await create(gamekeeper, {
        name,
        software: 'custom',
        port,
        directory,
        launch: { command: [process.execPath, DEMO] },
        readyPattern: '^Done \\(',
        rcon: { port: rconPort, password: 'not-the-password' },
        saveCommands: { flush: 'save-all' },
      });
      await gamekeeper.api('POST', `/instances/${id}/start`);
      await gamekeeper.waitForStatus(id, 'running');
      t.equal((await gamekeeper.api('POST', `/instances/${id}/stop`)).status, 200);
      await gamekeeper.waitForStatus(id, 'stopped');
      const log = await logOf(gamekeeper, id);
      t.match(log, /Saved the game[\s\S]*Stopping/i, 'saved and stopped');
      t.notMatch(log, /SIGTERM/, 'nothing had to be forced');
      const kept = await readFile(path.join(directory, 'server.properties'), 'utf8');
      t.ok(kept.endsWith(properties), 'an existing password is not replaced');
    });
  }
});
