/** One file out of a backup of 2 GiB whose only archive is in a WebDAV store: time and bytes transferred (F3). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Backup } from '../../../shared/schema/backup.ts';
import { requestJson } from '../../support/http/request-json.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { atMost, type BenchRow, medianOf } from '../row.ts';
import { type BenchGamekeeper, startForBench } from '../running-gamekeeper.ts';
import { writeRegions } from './sample-world.ts';

const REGIONS_BYTES = 2048 * 1024 * 1024;
/** As sample-world.ts writes them. */
const REGION_BYTES = 8 * 1024 * 1024;
const FILES = 5;
const PATIENCE = { deadlineMs: 900_000 };

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup);
  const store = await startCountedStore(cleanup);
  const backup = await onlyCopied(gamekeeper, store.url);
  const measured: { seconds: number; share: number }[] = [];
  for (const name of regionsOf(gamekeeper).slice(0, FILES)) {
    const before = store.sentBytes();
    const begun = performance.now();
    const bytes = await download(gamekeeper, backup.backupId, `regions/${name}`);
    const seconds = (performance.now() - begun) / 1000;
    if (bytes !== REGION_BYTES) throw new Error(`${name} has ${bytes} bytes.`);
    measured.push({ seconds, share: ((store.sentBytes() - before) / backup.sizeBytes) * 100 });
  }
  const what = 'one file of 8 MiB out of a backup of 2 GiB in a store';
  return [
    atMost('F3', `${what}, the first`, measured[0]!.seconds, { unit: 's', most: 1 }),
    atMost('F3', what, medianOf(measured.map(({ seconds }) => seconds)), { unit: 's', most: 1 }),
    atMost('F3', 'bytes transferred for it, of the archive', Math.max(...measured.map(({ share }) => share)), {
      unit: '%',
      most: 2,
    }),
  ];
}

function folderOf({ home }: BenchGamekeeper): string {
  return path.join(home, 'instances/bench');
}

function regionsOf(gamekeeper: BenchGamekeeper): string[] {
  return readdirSync(path.join(folderOf(gamekeeper), 'regions'));
}

/** Makes a backup of region files, copies it to the store, and removes the archive here. */
async function onlyCopied(gamekeeper: BenchGamekeeper, url: string): Promise<Backup> {
  const { api, home } = gamekeeper;
  await addStore(gamekeeper, url);
  await api('POST', '/instances', { name: 'Bench', id: 'bench', software: 'demo' });
  writeRegions(path.join(folderOf(gamekeeper), 'regions'), REGIONS_BYTES);
  const { backupId } = await api<{ backupId: string }>('POST', '/instances/bench/backup', {});
  const find = () => api<Backup>('GET', `/instances/bench/backups/${backupId}`);
  const isCopied = async () => ((await find()).replicas[0]?.state === 'replicated' ? true : undefined);
  await until('the backup is in the store', isCopied, PATIENCE);
  rmSync(path.join(home, 'backups/bench', `${backupId}.zip`));
  return find();
}

/** Only signed-in users change the settings. */
async function addStore({ panel, password }: BenchGamekeeper, url: string): Promise<void> {
  const body = { username: 'admin', password };
  const { headers } = await requestJson('POST', new URL('/api/login', panel), { body });
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
  const settings = { backups: { stores: [{ name: 'cloud', kind: 'webdav', url, insecure: false }] } };
  const options = { body: settings, headers: { cookie, origin: panel } };
  const { status } = await requestJson('PUT', new URL('/api/settings', panel), options);
  if (status >= 300) throw new Error(`The store was refused: ${status}`);
}

async function download({ panel, authorization }: BenchGamekeeper, backupId: string, file: string): Promise<number> {
  const address = new URL(`/instances/bench/backups/${backupId}/files/content`, panel);
  address.searchParams.set('path', file);
  const answer = await fetch(address, { headers: { authorization } });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.arrayBuffer()).byteLength;
}

/** rclone's WebDAV server, behind a relay that counts what it sends. */
async function startCountedStore(cleanup: AsyncDisposableStack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-store-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const server = spawn('rclone', ['serve', 'webdav', '--addr', `127.0.0.1:${port}`, folder], {
    stdio: 'ignore',
    env: { ...process.env, RCLONE_CONFIG: '/dev/null' },
  });
  cleanup.defer(() => void server.kill());
  await until('rclone serves WebDAV', () =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => undefined,
    ),
  );
  let sent = 0;
  const relay = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    upstream.on('data', ({ length }) => {
      sent += length;
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined); // the other end sees it
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  cleanup.defer(() => void relay.close());
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}/`, sentBytes: () => sent };
}
