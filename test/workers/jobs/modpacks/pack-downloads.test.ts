import { mkdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { freeBytes } from '../../../../shared/node/files/disk-space.ts';
import { KeyedMutex } from '../../../../shared/node/primitives/keyed-mutex.ts';
import { downloadPack, requireAllowedHosts } from '../../../../workers/jobs/modpacks/pack-downloads.ts';
import { JobProgress } from '../../../../workers/jobs/queue/job-progress.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const file = (...urls: string[]) => ({ path: 'mods/a.jar', sha512: 'a'.repeat(128), bytes: 10, urls });

t.test('a modpack may name a few hosts, and what is below the mirror of Modrinth', (t) => {
  const mirror = 'http://Mirror.example/modrinth/';
  const isAllowed = (url: string, base: string | undefined) => {
    try {
      requireAllowedHosts({ files: [file('https://elsewhere.example/a.jar', url)] }, base);
      return true;
    } catch {
      return false;
    }
  };
  t.ok(isAllowed('https://github.com/a/a.jar', undefined));
  t.ok(isAllowed('http://mirror.example/modrinth/data/a.jar', mirror));
  for (const url of [
    'http://mirror.example/admin',
    'http://mirror.example/modrinth',
    'http://mirror.example/modrinth/../admin',
    'http://mirror.example/modrinth-admin/a.jar',
    'https://mirror.example/modrinth/a.jar',
    'ftp://mirror.example/modrinth/a.jar',
    'https://api.modrinth.com/a.jar',
  ])
    t.notOk(isAllowed(url, mirror), url);
  t.notOk(isAllowed('https://api.modrinth.com/a.jar', undefined), 'without a mirror');
  t.end();
});

t.test('the disk must hold the downloads, their copies and what the game saves', async (t) => {
  const root = temporaryFolder(t);
  const [folder, cache] = [path.join(root, 'server'), path.join(root, 'cache')];
  for (const one of [folder, cache]) mkdirSync(one);
  const bytes = Math.floor((await freeBytes(root)) * 0.6);
  const download = { file: { ...file('http://127.0.0.1:1/a.jar'), bytes }, phase: new JobProgress().phase(0) };
  const sources = {
    vendors: () => Promise.resolve({ modrinth: 'http://127.0.0.1:1' }),
    downloads: { folder: cache, mutex: new KeyedMutex() },
    manifests: root,
  };
  const { signal } = new AbortController();
  await t.rejects(downloadPack([download], folder, { signal, sources }), { code: 'insufficient_storage' });
});
