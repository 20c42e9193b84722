/** Uploads to a disk that becomes full. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { mounted } from '../support/machine/mounted.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const MIB = 1024 * 1024;

t.test('an upload leaves the game some space, and nothing behind', async (t) => {
  const disk = path.join(temporaryFolder(t), 'disk');
  if (!mounted(t, disk, '-t', 'tmpfs', '-o', 'size=400m', 'tmpfs')) return;
  execFileSync('mkdir', [path.join(disk, 'server')]);
  const gamekeeper = await startGamekeeper(t);
  const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
  const directory = path.join(disk, 'server');
  t.equal((await gamekeeper.cli('create', '--name', 'Full', '--software', 'demo', '--directory', directory)).code, 0);
  writeFileSync(path.join(directory, 'file'), 'old');
  const put = (body: Buffer | ReadableStream) =>
    fetch(new URL('/instances/full/files/content?path=file', gamekeeper.addresses().panel), {
      ...{ method: 'PUT', headers, duplex: 'half' },
      body,
    } as RequestInit);
  const refused = async (body: Buffer | ReadableStream) => {
    const answer = await put(body);
    t.equal(answer.status, 507);
    t.match(await answer.json(), { code: 'insufficient_storage' });
  };
  await refused(Buffer.alloc(200 * MIB));
  const endless = Readable.from(
    (function* () {
      for (let n = 0; n < 390; n++) yield Buffer.alloc(MIB);
    })(),
  );
  await refused(Readable.toWeb(endless) as ReadableStream).catch((error: unknown) =>
    t.match(error, /fetch failed/, 'the connection may be closed before the answer is read'),
  );
  t.equal(readFileSync(path.join(directory, 'file'), 'utf8'), 'old');
  await until(
    'what had arrived is gone',
    () => readdirSync(path.join(directory, '.gamekeeper-files/staged')).length === 0,
  );
  const { bavail, bsize } = statfsSync(disk);
  t.ok(bavail * bsize > 256 * MIB);
  t.equal((await put(Buffer.from('new'))).status, 200, 'small files still fit');
});
