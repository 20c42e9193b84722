/** Existing servers are imported in place, by the API and by the command line, and survive the deletion of the instance. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ImportedInstance, Recognition } from '../../shared/schema/import.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { jar, paperclip, SETTINGS, vanillaJar, writeServer } from '../workers/pool/recognise/server-folders.ts';

const gamekeeper = await startGamekeeper(t);
const importing = (body: object) => gamekeeper.api<ImportedInstance>('POST', '/instances/import', body);

/** Creates a server folder with this name. */
function server(t: Test, name = 'survival', files = {}): string {
  return writeServer(path.join(temporaryFolder(t), name), { ...SETTINGS, 'paper.jar': paperclip('paper'), ...files });
}

function everything(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }).map(String).sort();
  return names.map((name) => `${name} ${lstatSync(path.join(folder, name), { bigint: true }).mtimeNs}`);
}

t.test('imports a folder in place and unchanged', async (t) => {
  const directory = server(t, 'survival', { 'start.sh': 'java -Xmx4G -jar paper.jar nogui\n' });
  const before = everything(directory);

  const looked = await gamekeeper.api<Recognition>('POST', '/instances/import', { directory, dryRun: true });
  t.equal(looked.status, 200);
  t.match(looked.body, {
    directory,
    software: { value: 'paper', from: 'paper.jar', sure: 'certain' },
    version: { value: '1.21.4' },
    javaVersion: { value: '21', from: 'paper.jar', sure: 'certain' },
    missing: [],
  });
  t.same((await gamekeeper.api('GET', '/instances')).body, [], 'a dry run creates nothing');

  const made = await importing({ directory });
  t.equal(made.status, 201);
  t.equal(made.headers.get('location'), '/instances/survival');
  t.match(made.body, {
    ...{ id: 'survival', name: 'survival', software: 'paper', version: '1.21.4', port: 25_570, memoryMb: 5120 },
    status: 'stopped',
    recognised: looked.body,
  });
  t.same(everything(directory), before);

  t.match(await importing({ directory }), { status: 409, body: { code: 'instance_exists' } });
  t.match(await importing({ directory: path.join(directory, 'world') }), {
    status: 409,
    body: { code: 'instance_exists' },
  });
  t.equal((await gamekeeper.api('DELETE', '/instances/survival?backups=delete')).status, 204);
  t.same(everything(directory), before);
  t.match(await importing({ directory, name: 'Again', id: 'again', memoryMb: 1024, port: 25_999 }), {
    status: 201,
    body: { id: 'again', name: 'Again', port: 25_999, memoryMb: 1024 },
  });
});

t.test('an import requires the values that the folder does not show', async (t) => {
  const directory = server(t, 'old', { 'paper.jar': '', 'server.jar': jar('net.minecraft.server.MinecraftServer') });
  t.match(await importing({ directory }), {
    status: 400,
    body: {
      code: 'invalid_request',
      detail: /^version: the folder does not tell which version/,
      resolution: /"version"/,
    },
  });
  t.match(await importing({ directory, version: '1.12.2' }), {
    status: 201,
    body: { version: '1.12.2', recognised: { javaVersion: { value: '8' } } },
  });
  const nested = temporaryFolder(t);
  writeServer(path.join(nested, 'inner'), { 'server.jar': vanillaJar });
  t.match(await importing({ directory: nested }), {
    status: 400,
    body: { detail: /^software: no server program was found .* one in inner\.$/ },
  });
  t.match(await importing({ directory: nested, software: 'demo' }), { status: 201, body: { software: 'demo' } });
});

t.test('a folder that is not a server is refused with the reason', async (t) => {
  const directory = server(t);
  const link = path.join(temporaryFolder(t), 'link');
  symlinkSync('/nowhere/at/all', link);
  const cases: [object, RegExp][] = [
    [{}, /directory/],
    [{ directory: 'survival' }, /absolute/],
    [{ directory: '/no/such/folder' }, /does not exist/],
    [{ directory: link }, /does not exist/],
    [{ directory: path.join(directory, 'paper.jar') }, /not a folder/],
    [{ directory: '/' }, /Gamekeeper's own data directory/],
    [{ directory: path.join(gamekeeper.home, 'run') }, /Gamekeeper's own data directory/],
    [{ directory, software: 'nonsense' }, /no kind "nonsense"/],
    [{ directory, directroy: 'x' }, /directroy/],
  ];
  for (const [body, detail] of cases)
    t.match(await importing(body), { status: 400, body: { code: 'invalid_request', detail } }, JSON.stringify(body));
});

t.test('a running server is not imported', async (t) => {
  const directory = server(t, 'running');
  const open = 'fs.openSync(process.argv[1], "r+"); console.log("open"); setInterval(() => undefined, 1000)';
  const other = spawn(process.execPath, ['-e', open, path.join(directory, 'world/session.lock')]);
  t.teardown(() => other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  t.match(await importing({ directory, dryRun: true }), {
    status: 409,
    body: { code: 'invalid_state', detail: new RegExp(`process ${other.pid} has world/session.lock open`) },
  });
  other.kill('SIGKILL');
  await once(other, 'exit');
  t.equal((await importing({ directory, dryRun: true })).status, 200);
});

t.test('the folder of a deleted instance can be imported again', async (t) => {
  await gamekeeper.api('POST', '/instances', { name: 'Kept', software: 'demo' });
  const directory = path.join(gamekeeper.home, 'instances/kept');
  writeFileSync(path.join(directory, 'server.properties'), 'server-port=25800\n');
  await gamekeeper.api('DELETE', '/instances/kept');
  t.match(await importing({ directory, software: 'demo' }), { status: 201, body: { id: 'kept', port: 25_800 } });
  t.equal((await gamekeeper.api('DELETE', '/instances/kept?files=delete')).status, 204);
  t.notOk(existsSync(directory));
});

t.test('only a local administrator may choose a folder', async (t) => {
  const headers = { authorization: `Bearer ${await gamekeeper.token({ scopes: ['servers:write'] })}` };
  for (const dryRun of [true, false])
    t.match(await gamekeeper.api('POST', '/instances/import', { directory: server(t), dryRun }, headers), {
      status: 403,
      body: { code: 'insufficient_scope' },
    });
});

t.test('imports by the command line', async (t) => {
  const directory = server(t, 'by-hand', { 'evil\u001b[2J.sh': 'java -Xmx1G -XX:+UseG1GC -jar paper.jar' });
  const dry = await gamekeeper.cli('import', directory, '--dry-run');
  t.equal(dry.code, 0, dry.stderr);
  t.match(dry.stdout, /^software +paper +paper\.jar/m);
  t.match(
    dry.stdout,
    /^memory \(MB\) +1366 +evil<U\+001B>\[2J\.sh +likely$/m,
    'a name cannot contain escape sequences',
  );
  const made = await gamekeeper.cli(
    'import',
    directory,
    '--name',
    'By hand',
    '--port',
    '25801',
    '--memory',
    '2G',
    '--json',
  );
  t.equal(made.code, 0, made.stderr);
  t.match(JSON.parse(made.stdout), { id: 'by-hand', port: 25_801, memoryMb: 2048, recognised: { missing: [] } });
  t.match(await gamekeeper.cli('import', directory), { code: 1, stderr: /^Instance exists: .*by-hand/ });
  t.match(await gamekeeper.cli('import'), { code: 2 });
});

t.test('an imported custom server starts with its own command', async (t) => {
  const directory = path.join(temporaryFolder(t), 'scripted');
  mkdirSync(directory);
  writeFileSync(
    path.join(directory, 'run.sh'),
    '#!/bin/sh\necho "java as ever"; touch started; while read line; do [ "$line" = stop ] && exit 0; done\n',
    { mode: 0o755 },
  );
  const made = await importing({ directory, readyPattern: 'as ever' });
  t.match(made, { status: 201, body: { software: 'custom', recognised: { software: { sure: 'guess' } } } });
  await gamekeeper.api('POST', '/instances/scripted/start');
  await gamekeeper.waitForStatus('scripted', 'running');
  t.equal(readFileSync(path.join(directory, 'started'), 'utf8'), '');
  await gamekeeper.api('POST', '/instances/scripted/stop');
  await gamekeeper.waitForStatus('scripted', 'stopped');
  t.match((await gamekeeper.api<Instance>('GET', '/instances/scripted')).body, { version: 'custom' });
});
