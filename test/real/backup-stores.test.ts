/** Copies of backups in every kind of store, made by a running Gamekeeper. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateX25519Identity } from 'age-encryption';
import t, { type Test } from 'tap';
import type { Backup } from '../../shared/schema/backup.ts';
import { startSshServer } from '../support/machine/ssh-server.ts';
import { requireProgram, requireRoot } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { smallDisk } from '../workers/jobs/backups/stores/store-folder.ts';
import { startWebdavServer } from '../workers/jobs/backups/stores/webdav-server.ts';
import { BUCKET, PREFIX, startS3 } from './start-s3.ts';

const run = promisify(execFile);

/** Starts a server for every kind of store. Returns their settings and the secrets in them. */
async function everyStore(t: Test) {
  const folder = temporaryFolder(t);
  const [ssh, dav, s3] = await Promise.all([
    startSshServer(t),
    startWebdavServer(t, path.join(folder, 'cloud')),
    startS3(t),
  ]);
  const usb = smallDisk(t, 50)!.directory;
  const config = path.join(folder, 'rclone.conf');
  await writeFile(config, `[drive]\ntype = alias\nremote = ${path.join(folder, 'drive')}\n`);
  const stores = [
    { name: 'usb', kind: 'folder', directory: usb },
    {
      name: 'nas',
      kind: 'sftp',
      host: '127.0.0.1',
      port: ssh.port,
      username: 'root',
      privateKey: ssh.privateKey,
      directory: path.join(folder, 'nas'),
      hostKey: ssh.fingerprint,
    },
    { name: 'cloud', kind: 'webdav', url: dav.url, username: dav.username, password: dav.password },
    {
      name: 'bucket',
      kind: 's3',
      endpoint: s3.endpoint,
      bucket: BUCKET,
      prefix: PREFIX,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    { name: 'drive', kind: 'rclone', remote: 'drive:', config },
  ];
  /** Returns the file of a key in each store. */
  const filesOf = (key: string) => ({
    usb: path.join(usb, key),
    nas: path.join(folder, 'nas', key),
    cloud: path.join(folder, 'cloud', key),
    bucket: s3.fileOf(key),
    drive: path.join(folder, 'drive', key),
  });
  return { stores, filesOf, secrets: [dav.password, ssh.privateKey.split('\n')[2]!] };
}

t.test('every store gets an encrypted copy, from which a backup is restored', async (t) => {
  if (!requireRoot(t) || !requireProgram(t, 'rclone', 'rclone') || !requireProgram(t, 'age', 'age')) return;
  const { stores, filesOf, secrets } = await everyStore(t);
  const identity = await generateX25519Identity();
  const wrong = { ...stores[2]!, name: 'wrong', password: 'not-the-s3cret' };
  const gamekeeper = await startGamekeeper(t, { settings: { backups: { encryption: { identity }, stores } } });
  secrets.push(identity, wrong.password);
  const seen: string[] = [];
  const timer = setInterval(() => seen.push(...processesOf(gamekeeper.home).map(({ command }) => command)), 50);
  t.teardown(() => clearInterval(timer));

  const asAdmin = { cookie: await gamekeeper.login(), origin: gamekeeper.addresses().panel };
  for (const { name } of stores) {
    const answer = await gamekeeper.api('POST', `/api/stores/${name}/test`, undefined, asAdmin);
    t.match(answer, { status: 200, body: { success: true } }, `${name} works: ${JSON.stringify(answer.body)}`);
  }
  const changed = await gamekeeper.api('PUT', '/api/settings', { backups: { stores: [...stores, wrong] } }, asAdmin);
  t.equal(changed.status, 200, 'a store can be added while Gamekeeper runs');
  const refused = await gamekeeper.api('POST', '/api/stores/wrong/test', undefined, asAdmin);
  t.match(refused, { status: 422, body: { code: 'store_refused', detail: /user name and password/ } });
  t.equal((await gamekeeper.api('PUT', '/api/settings', { backups: { stores } }, asAdmin)).status, 200);

  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const made = await gamekeeper.api<Backup>('POST', '/instances/demo/backup');
  t.equal(made.status, 200);
  const { backupId, sha256 } = made.body;
  const address = `/instances/demo/backups/${backupId}`;
  await until(
    'every store has its copy',
    async () => (await gamekeeper.api<Backup>('GET', address)).body.cloudStatus === 'replicated',
    { describe: async () => (await gamekeeper.api<Backup>('GET', address)).body.replicas },
  );

  const scratch = temporaryFolder(t);
  const key = path.join(scratch, 'key');
  await writeFile(key, identity);
  for (const [store, file] of Object.entries(filesOf(`demo/${backupId}.zip.age`))) {
    const plain = path.join(scratch, `${store}.zip`);
    await run('age', ['--decrypt', '--identity', key, '--output', plain, file]);
    t.equal(
      createHash('sha256')
        .update(await readFile(plain))
        .digest('hex'),
      sha256,
      `${store} has the encrypted copy`,
    );
  }
  t.match((await gamekeeper.api('POST', `${address}/verify`)).body, { ok: true, replicas: { length: stores.length } });

  await rm(path.join(gamekeeper.home, 'backups', 'demo', `${backupId}.zip`));
  const restored = await gamekeeper.api('POST', `${address}/restore`);
  t.equal(restored.status, 200, `restored from a store: ${JSON.stringify(restored.body)}`);

  clearInterval(timer);
  t.ok(
    seen.some((command) => command.includes('rclone')),
    'the process list was recorded',
  );
  const settings = JSON.stringify((await gamekeeper.api('GET', '/api/settings', undefined, asAdmin)).body);
  t.match(settings, /"bucket".*"\*{8}"/, 'the settings are returned with masked secrets');
  t.same(await leaks(gamekeeper, secrets, { 'list of processes': seen.join('\n'), settings }), []);
});

/** Resolves to every place that contains one of the secrets: process lists, logs, output, responses. */
async function leaks(gamekeeper: Gamekeeper, secrets: string[], seen: Record<string, string>): Promise<string[]> {
  const logs = path.join(gamekeeper.home, 'logs');
  const files = (await readdir(logs, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const texts: Record<string, string> = {
    ...seen,
    output: gamekeeper.output(),
    backups: JSON.stringify((await gamekeeper.api('GET', '/instances/demo/backups')).body),
  };
  for (const { parentPath, name } of files) texts[name] = await readFile(path.join(parentPath, name), 'utf8');
  return Object.entries(texts).flatMap(([where, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
  );
}
