import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { replaceServerFile } from '../../../../../shared/node/files/server/replace-server-file.ts';
import { openServerFile, readServerFile } from '../../../../../shared/node/files/server/server-file.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

const INSIDE = 'of the server';
const OUTSIDE = 'of somebody else';

/** A server's folder, whose settings are a link to `sub/file`, and a folder outside of it with a file of that name. */
function hostileFolder(t: Test) {
  const root = temporaryFolder(t);
  const [folder, outside] = [path.join(root, 'server'), path.join(root, 'outside')];
  mkdirSync(path.join(folder, 'sub'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(path.join(folder, 'sub/file'), INSIDE, { mode: 0o640 });
  writeFileSync(path.join(outside, 'file'), OUTSIDE);
  symlinkSync('sub/file', path.join(folder, 'settings'));
  return { folder, outside, settings: path.join(folder, 'settings') };
}

t.test('a link within the folder is followed and stays, and the file keeps its mode', async (t) => {
  const { folder, settings } = hostileFolder(t);
  t.equal(String(await readServerFile(settings)), INSIDE);
  await replaceServerFile(settings, Buffer.from('new'));
  t.equal(readFileSync(path.join(folder, 'sub/file'), 'utf8'), 'new');
  t.equal(statSync(path.join(folder, 'sub/file')).mode & 0o777, 0o640);
  await replaceServerFile(path.join(folder, 'other'), Buffer.from('other'));
  t.equal(statSync(path.join(folder, 'other')).mode & 0o777, 0o600);
  t.same(readdirSync(folder).sort(), ['other', 'settings', 'sub']);
});

t.test('a link that leads out of the folder is neither read nor replaced', async (t) => {
  const { folder, outside } = hostileFolder(t);
  const leadsOut = { code: 'invalid_state', message: /leads out of the server's folder/ };
  const link = path.join(folder, 'link');
  symlinkSync(path.join(outside, 'file'), link);
  await t.rejects(readServerFile(link), leadsOut);
  await t.rejects(replaceServerFile(link, Buffer.from('x')), leadsOut);
  symlinkSync(outside, path.join(folder, 'logs'));
  await t.rejects(openServerFile(path.join(folder, 'logs/file'), folder), leadsOut, 'nor through a folder');
  t.equal(readFileSync(path.join(outside, 'file'), 'utf8'), OUTSIDE);
});

t.test('what is missing, not a file, or too large', async (t) => {
  const { folder } = hostileFolder(t);
  t.equal(await readServerFile(path.join(folder, 'missing')), undefined);
  await t.rejects(readServerFile(path.join(folder, 'sub')), { code: 'invalid_state', message: /not an ordinary file/ });
  await t.rejects(readServerFile(path.join(folder, 'sub/file'), { largestBytes: 5 }), { message: /is larger than/ });
  const gone = path.join(folder, 'gone/settings');
  await t.rejects(replaceServerFile(gone, Buffer.from('x')), { code: 'invalid_state', message: /does not exist/ });
});

/** Swaps `sub` for a link to another folder and back, as a plugin may. */
const SWAPPER = `
  const { renameSync, symlinkSync, rmSync } = require('node:fs');
  const { workerData: { folder, outside, stop } } = require('node:worker_threads');
  const halt = new Int32Array(stop);
  while (halt[0] === 0) {
    renameSync(folder + '/sub', folder + '/away');
    symlinkSync(outside, folder + '/sub');
    rmSync(folder + '/sub');
    renameSync(folder + '/away', folder + '/sub');
  }
`;

t.test('while a folder is swapped for a link, nothing outside is read or written', async (t) => {
  const { folder, outside, settings } = hostileFolder(t);
  const stop = new SharedArrayBuffer(4);
  const swapper = new Worker(SWAPPER, { eval: true, workerData: { folder, outside, stop } });
  const ended = once(swapper, 'exit');
  await once(swapper, 'online');

  const tried = { read: 0, notRead: 0, written: 0, notWritten: 0 };
  for (let round = 0; round < 1_000; round++) {
    const bytes = await readServerFile(settings).catch(() => undefined);
    if (bytes && String(bytes) !== INSIDE) t.fail(`read ${bytes}`);
    tried[bytes ? 'read' : 'notRead']++;
  }
  for (let round = 0; round < 100; round++)
    await replaceServerFile(settings, Buffer.from(INSIDE)).then(
      () => tried.written++,
      () => tried.notWritten++,
    );
  new Int32Array(stop)[0] = 1;
  await ended;
  t.comment(tried);
  t.ok(tried.read > 0 && tried.notRead > 0, 'it was swapped meanwhile');
  t.equal(readFileSync(path.join(outside, 'file'), 'utf8'), OUTSIDE);
  t.same(readdirSync(outside), ['file']);
});
