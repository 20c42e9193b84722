/**
 * Every request of SFTP while a thread swaps the folder for a link to another place as fast as it can (CVE-2024-27102), and paths that lead out of the
 * folder of a server (Wings CVE-2023-25152, CVE-2023-25168).
 */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SFTPWrapper } from 'ssh2';
import t from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';
import { connectSsh } from '../support/sftp/ssh-client.ts';

const RUN_MS = 15_000;
const OUTSIDE = 'of somebody else';
const INSIDE = 'of the server';
const SWAPPER = `
  const { renameSync, symlinkSync, rmSync } = require('node:fs');
  const { workerData: { root, outside, stop } } = require('node:worker_threads');
  const halt = new Int32Array(stop);
  const quietly = (work) => { try { work(); } catch {} };
  while (halt[0] === 0)
    for (const name of ['a', '.gamekeeper-files']) {
      quietly(() => renameSync(root + '/' + name, root + '/' + name + '-away'));
      quietly(() => symlinkSync(outside, root + '/' + name));
      quietly(() => rmSync(root + '/' + name, { force: true }));
      quietly(() => renameSync(root + '/' + name + '-away', root + '/' + name));
    }
`;

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const root = path.join(gamekeeper.home, 'instances/demo');
const outside = temporaryFolder(t);
for (const folder of [path.join(root, 'a/sub'), path.join(outside, 'sub'), path.join(outside, 'staged')])
  mkdirSync(folder, { recursive: true });
writeFileSync(path.join(root, 'a/file'), INSIDE);
for (const name of ['file', 'sub/file']) writeFileSync(path.join(outside, name), OUTSIDE);
const { port } = await openSsh(t, gamekeeper);
const sftp = await (await connectSsh(t, port, { username: 'admin', password: gamekeeper.password })).sftp();
const snapshot = () =>
  readdirSync(outside, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => [name, statSync(path.join(outside, name)).mtimeMs, statSync(path.join(outside, name)).mode]);

/** Calls a method of the client. Resolves to its result; rejects with the server's status. */
function ask<T>(run: (done: (error: Error | null | undefined, result?: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result as T))));
}

async function readFile(sftp: SFTPWrapper, file: string): Promise<string> {
  return String(await ask<Buffer>((done) => sftp.readFile(file, done)));
}

t.test('nothing outside is read or written', async (t) => {
  const before = snapshot();
  const stop = new SharedArrayBuffer(4);
  const swapper = new Worker(SWAPPER, { eval: true, workerData: { root, outside, stop } });
  const ended = new Promise((resolve) => swapper.once('exit', resolve));
  const seen = new Set<string>();
  const count = { done: 0, refused: 0 };
  const attempts: ((n: number) => Promise<unknown>)[] = [
    async () => seen.add(await readFile(sftp, '/demo/a/file')),
    async () => seen.add(await readFile(sftp, '/demo/a/sub/file')),
    async () => {
      const entries = await ask<{ filename: string }[]>((done) => sftp.readdir('/demo/a', done));
      for (const { filename } of entries) if (filename === 'staged') seen.add(OUTSIDE);
    },
    (n) => ask((done) => sftp.writeFile(`/demo/a/new${n % 5}`, INSIDE, done)),
    () => ask((done) => sftp.writeFile('/demo/a/file', INSIDE, done)),
    (n) => ask((done) => sftp.mkdir(`/demo/a/folder${n % 5}`, done)),
    (n) => ask((done) => sftp.rmdir(`/demo/a/folder${n % 5}`, done)),
    (n) => ask((done) => sftp.rename(`/demo/a/new${n % 5}`, `/demo/a/moved${n % 5}`, done)),
    (n) => ask((done) => sftp.ext_openssh_rename(`/demo/a/moved${n % 5}`, '/demo/a/sub/moved', done)),
    (n) => ask((done) => sftp.unlink(`/demo/a/new${n % 5}`, done)),
    () => ask((done) => sftp.chmod('/demo/a/file', 0o600, done)),
    () => ask((done) => sftp.utimes('/demo/a/file', 1, 1, done)),
    () => ask((done) => sftp.appendFile('/demo/a/file', '', done)),
  ];
  const end = Date.now() + RUN_MS;
  for (let n = 0; Date.now() < end; n++)
    for (const attempt of attempts)
      await attempt(n).then(
        () => count.done++,
        () => count.refused++,
      );
  new Int32Array(stop)[0] = 1;
  await ended;
  t.notOk(seen.has(OUTSIDE));
  t.same(snapshot(), before);
  t.ok(count.done > 10 && count.refused > 10, `${count.done} done, ${count.refused} refused`);
});

t.test('no path and no link leads out of the folder of a server', async (t) => {
  symlinkSync(outside, path.join(root, 'way-out'));
  symlinkSync(path.join(outside, 'file'), path.join(root, 'file-out'));
  const before = snapshot();
  const places = [
    ...['/demo/way-out/file', '/demo/file-out', '/demo/../../../../etc/passwd', '/demo/way-out/../../nobody/x'],
    ...['/demo/.gamekeeper-files', '/demo/.GAMEKEEPER-FILES/trash', '/..', '/../settings.json', '/nobody/file'],
    ...['/demo/\0/etc/passwd', `${outside}/file`, '/__proto__/x', '/demo/a\\..\\..\\file'],
    `/demo/${'x'.repeat(300)}`,
    `/demo/${'x/'.repeat(4_000)}`,
  ];
  for (const place of places) {
    await t.rejects(readFile(sftp, place), place.slice(0, 60));
    await t.rejects(ask((done) => sftp.setstat(place, { size: 0, mode: 0o777 }, done)));
    if (place.includes('\\')) continue;
    await t.rejects(ask((done) => sftp.writeFile(place, 'x', done)));
    await t.rejects(ask((done) => sftp.mkdir(`${place}/new`, done)));
    await t.rejects(ask((done) => sftp.rename('/demo/a/file', `${place}/new`, done)));
  }
  await t.rejects(ask((done) => sftp.symlink('/etc', '/demo/link', done)));
  await t.rejects(ask((done) => sftp.ext_openssh_hardlink('/demo/a/file', '/demo/link', done)));
  t.equal(await ask((done) => sftp.readlink('/demo/file-out', done)), path.join(outside, 'file'), 'shown');
  const { mode } = await ask<{ mode: number }>((done) => sftp.stat('/demo/file-out', done));
  t.equal(mode & 0o170000, 0o120000, 'a link, not what it leads to');
  await ask((done) => sftp.unlink('/demo/file-out', done));
  t.equal(readFileSync(path.join(outside, 'file'), 'utf8'), OUTSIDE, 'the link is deleted, not the file');
  await ask((done) => sftp.chmod('/demo/a/file', 0o6777, done));
  t.equal(statSync(path.join(root, 'a/file')).mode & 0o7777, 0o777, 'without the bits that give rights of others');
  t.same(snapshot(), before);
  const names = (await ask<{ filename: string }[]>((done) => sftp.readdir('/demo', done))).map(
    ({ filename }) => filename,
  );
  t.notOk(names.some((name) => name.startsWith('.gamekeeper-')));
});
