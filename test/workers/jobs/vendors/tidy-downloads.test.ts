import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { KeyedMutex } from '../../../../shared/node/primitives/keyed-mutex.ts';
import { JobProgress } from '../../../../workers/jobs/queue/job-progress.ts';
import { fetchFile } from '../../../../workers/jobs/vendors/download-cache.ts';
import { tidyDownloads } from '../../../../workers/jobs/vendors/tidy-downloads.ts';
import { hash } from '../../../support/jobs/fake-vendors.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const DAY_MS = 24 * 3_600_000;

/** A cache in which everything but `fresh` is 31 days old. */
function setup(t: Test, names: readonly string[], record?: object) {
  const cache = path.join(temporaryFolder(t), 'downloads');
  mkdirSync(cache);
  const now = Date.now();
  for (const name of names) {
    const file = path.join(cache, name);
    writeFileSync(file, 'a program');
    if (!name.endsWith('fresh')) utimesSync(file, new Date(now), new Date(now - 31 * DAY_MS));
  }
  const downloads = { folder: cache, mutex: new KeyedMutex() };
  const options = {
    downloads,
    records: { read: async () => record },
    peers: { daemon: { instances: async () => [{ config: { id: 'one' } }] } },
    now: () => now,
  } as unknown as Parameters<typeof tidyDownloads>[0];
  return { cache, downloads, tidy: () => tidyDownloads(options, new AbortController().signal) };
}

t.test('a download unused for a month is removed, unless an instance runs it', async (t) => {
  const names = ['sha1-old', 'sha1-run', 'sha256-fresh', 'sha1-half.partial', 'sha1-half.partial.json', 'url-x'];
  const { cache, tidy } = setup(t, names, { file: { digest: { algorithm: 'sha1', hex: 'run' } } });
  await tidy();
  t.same(readdirSync(cache).toSorted(), ['sha1-run', 'sha256-fresh']);
});

t.test('using a cached file keeps it for another month, and a running download is left alone', async (t) => {
  const hex = hash('sha1', 'a program');
  const { cache, downloads, tidy } = setup(t, [`sha1-${hex}`, 'sha1-half.partial']);
  const signal = new AbortController().signal;
  const vendor = { name: 'paper', base: 'http://127.0.0.1:9', contact: undefined } as const;
  const phase = new JobProgress().phase(0);
  const wanted = { vendor, url: 'http://127.0.0.1:9/x', digest: { algorithm: 'sha1', hex } } as const;
  for await (const _ of fetchFile(wanted, downloads, { signal, title: 'X', phase })) t.fail('a vendor was asked');

  const release = await downloads.mutex.take(path.join(cache, 'sha1-half'), signal);
  const tidying = tidy();
  utimesSync(path.join(cache, 'sha1-half.partial'), new Date(), new Date());
  release();
  await tidying;
  t.same(readdirSync(cache).toSorted(), [`sha1-${hex}`, 'sha1-half.partial'].toSorted());
});

t.test('a missing cache is fine', async (t) => {
  const { cache, tidy } = setup(t, []);
  rmSync(cache, { recursive: true });
  await t.resolves(tidy());
});
