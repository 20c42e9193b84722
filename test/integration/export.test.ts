/** A server is moved from one Gamekeeper to another. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import t from 'tap';
import type { ExportManifest } from '../../shared/schema/export.ts';
import type { ImportedInstance } from '../../shared/schema/import.ts';
import type { Job } from '../../shared/schema/job.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
const folder = path.join(gamekeeper.home, 'instances/demo');
const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
const address = () => new URL('/instances/demo/export', gamekeeper.addresses().panel);
const exports = async () => (await gamekeeper.api<Job[]>('GET', '/jobs')).body.filter(({ kind }) => kind === 'export');

await gamekeeper.api('POST', '/instances', {
  ...{ name: 'Demo', software: 'demo', memoryMb: 640, stopTimeoutSeconds: 33 },
  env: { API_KEY: 'do-not-tell' },
});
symlinkSync('server.properties', path.join(folder, 'link'));
await gamekeeper.api('POST', '/instances/demo/start');
await gamekeeper.waitForStatus('demo', 'running');

t.test('exports a running server, which another Gamekeeper imports', async (t) => {
  if (!requireProgram(t, 'unzip', 'unzip')) return;
  const answer = await fetch(address(), { headers });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'application/zip');
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="demo.zip"');
  const archive = path.join(temporaryFolder(t), 'demo.zip');
  writeFileSync(archive, Buffer.from(await answer.arrayBuffer()));
  t.match(execFileSync('unzip', ['-tq', archive], { encoding: 'utf8' }), /No errors detected/);

  const text = execFileSync('unzip', ['-p', archive, 'gamekeeper-export.json'], { encoding: 'utf8' });
  const manifest = JSON.parse(text) as ExportManifest;
  t.match(manifest, {
    software: 'demo',
    settings: { name: 'Demo', memoryMb: 640, stopTimeoutSeconds: 33 },
    quiesced: true,
    leftOut: ['link'],
  });
  const [{ omitted } = {}] = await exports();
  t.same(omitted, [{ path: 'link', reason: 'link' }]);
  const password = /^rcon\.password=(.+)$/m.exec(readFileSync(path.join(folder, 'server.properties'), 'utf8'))?.[1];
  t.ok(password);
  t.notMatch(text, new RegExp(`do-not-tell|${password}`), 'no secrets');

  const other = await startGamekeeper(t);
  const made = await other.api<ImportedInstance>('POST', '/instances/import', { archive, port: 25_890 });
  t.match(made, { status: 201, body: { id: 'demo', name: 'Demo', software: 'demo', port: 25_890, memoryMb: 640 } });
  t.equal(made.headers.get('location'), '/instances/demo');
  t.notOk(readdirSync(path.join(other.home, 'instances/demo')).includes('gamekeeper-export.json'));
  t.match((await other.api('GET', '/instances/demo/configuration')).body, { stopTimeoutSeconds: 33 });
  const byHand = await other.cli('import', archive, '--name', 'By hand');
  t.match(
    byHand,
    { code: 0, stdout: /Imported "By hand" \(id by-hand\)\. Start it: npx gamekeeper start by-hand/ },
    byHand.stderr,
  );
  t.match(await other.api('POST', '/instances/import', { archive, directory: '/srv' }), { status: 400 });
  t.match(await other.cli('import', archive, '--dry-run'), { code: 0, stdout: /demo.*gamekeeper-export\.json/ });
  t.equal((await other.api<object[]>('GET', '/instances')).body.length, 2, 'a dry run creates nothing');
});

t.test('the job ends and the world is unlocked if the client disconnects', async (t) => {
  const noise = Buffer.alloc(64 * 1024 * 1024);
  for (let at = 0; at < noise.length; at += 4) noise.writeInt32LE((Math.random() * 2 ** 32) | 0, at);
  writeFileSync(path.join(folder, 'big.bin'), noise);
  const request = get(address(), { headers, agent: false });
  const response = await new Promise<NodeJS.ReadableStream>((resolve) => request.once('response', resolve));
  await new Promise((resolve) => response.once('readable', resolve));
  const [running] = (await exports()).filter(({ endedAt }) => endedAt === undefined);
  t.match(running, { instanceId: 'demo', state: 'running' });
  t.match((await gamekeeper.api('GET', '/instances/demo')).body, { activity: 'backing-up' });
  request.destroy();
  await until('the job has ended', async () => (await exports()).every(({ endedAt }) => endedAt !== undefined));
  await until('the world is unlocked', async () => {
    const { body } = await gamekeeper.api<{ activity?: string }>('GET', '/instances/demo');
    return body.activity === undefined;
  });
  t.same(
    readdirSync(path.join(gamekeeper.home, 'run')).filter((name) => name.startsWith('export-')),
    [],
  );
});

t.test('an export that cannot begin returns a normal error', async (t) => {
  t.match(await gamekeeper.api('GET', '/instances/none/export'), { status: 404 });
  t.equal((await fetch(address(), { headers, method: 'HEAD' })).status, 200);
  const slow = get(address(), { headers, agent: false });
  const response = await new Promise<NodeJS.ReadableStream>((resolve) => slow.once('response', resolve));
  await new Promise((resolve) => response.once('readable', resolve));
  t.match(await gamekeeper.api('GET', '/instances/demo/export'), { status: 409, body: { code: 'backup_in_progress' } });
  slow.destroy();
});
