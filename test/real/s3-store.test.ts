import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { createStore } from '../../workers/jobs/backups/stores/create-store.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { sampleObject } from '../workers/jobs/backups/stores/sample-object.ts';
import { checkStore, transfer } from '../workers/jobs/backups/stores/store-contract.ts';
import { flipByte } from '../workers/jobs/backups/stores/store-folder.ts';
import { BUCKET, PREFIX, startS3 } from './start-s3.ts';

const run = promisify(execFile);
const MiB = 1024 * 1024;
const { signal } = new AbortController();

interface Differences {
  endpoint?: string;
  bucket?: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  region?: string;
}

function openS3(endpoint: string, differences: Differences = {}, stallMs?: number) {
  return createStore(
    {
      name: 'bucket',
      kind: 's3',
      endpoint,
      region: 'us-east-1',
      bucket: BUCKET,
      prefix: PREFIX,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      insecure: false,
      ...differences,
    },
    { backups: '/nowhere', instances: '/nowhere', ...(stallMs !== undefined && { stallMs }) },
  );
}

t.test('an S3 bucket works as a store', async (t) => {
  const server = await startS3(t);
  checkStore(t, {
    open: () => openS3(server.endpoint),
    damage: (key) => flipByte(server.fileOf(key)),
    list: () => server.list(),
    resumes: true,
  });
});

t.test('an upload reports that the server died, and resumes with the missing parts', async (t) => {
  const server = await startS3(t);
  const store = await openS3(server.endpoint);
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 60 * MiB);
  const how = transfer();
  const killing = {
    ...how,
    onProgress(bytes: number) {
      how.bytes += bytes;
      if (how.bytes > 40 * MiB) void server.kill();
    },
  };
  await t.rejects(store.put(object, killing), { code: 'store_unavailable', message: /^The store "bucket" / });
  await t.rejects(store.stat(object.key, signal), { code: 'store_unavailable', message: /ECONNREFUSED/ });
  t.same(await server.list(), [], 'no object is visible');
  t.equal(await server.uploads(), 1);

  await server.start();
  const sent: number[] = [];
  const rest = transfer();
  await store.put(object, { ...rest, onProgress: (bytes) => void sent.push(bytes) });
  const whole = sent.filter((bytes) => bytes === 8 * MiB).length;
  t.ok(whole >= 1, `${whole} parts were not sent again`);
  t.equal(
    sent.reduce((sum, bytes) => sum + bytes, 0),
    object.sizeBytes,
  );
  t.equal(await store.verify(object, transfer()), true);
  t.equal(await server.uploads(), 0);
});

t.test('removing an object also removes its unfinished upload', async (t) => {
  const server = await startS3(t);
  const store = await openS3(server.endpoint);
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 40 * MiB);
  const cancel = new AbortController();
  const how = transfer({ signal: cancel.signal });
  const cancelling = {
    ...how,
    onProgress(bytes: number) {
      how.bytes += bytes;
      if (how.bytes > 20 * MiB) cancel.abort(new Error('cancelled'));
    },
  };
  await t.rejects(store.put(object, cancelling), { message: 'cancelled' });
  t.equal(await server.uploads(), 1);
  await store.remove(object.key, signal);
  t.equal(await server.uploads(), 0);
});

t.test('rclone finds the same bytes under the key', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const server = await startS3(t);
  const store = await openS3(server.endpoint);
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 20 * MiB);
  await store.put(object, transfer());
  const { stdout } = await run('rclone', ['hashsum', 'sha256', '--download', `far:${BUCKET}/${PREFIX}/${object.key}`], {
    env: {
      PATH: process.env.PATH,
      RCLONE_CONFIG: '/dev/null',
      RCLONE_CONFIG_FAR_TYPE: 's3',
      RCLONE_CONFIG_FAR_PROVIDER: 'Other',
      RCLONE_CONFIG_FAR_ENDPOINT: server.endpoint,
      RCLONE_CONFIG_FAR_ACCESS_KEY_ID: 'S3RVER',
      RCLONE_CONFIG_FAR_SECRET_ACCESS_KEY: 'S3RVER',
    },
  });
  t.equal(stdout.split(' ')[0], object.sha256);
});

t.test('wrong credentials, a wrong bucket and a wrong address have different errors', async (t) => {
  const server = await startS3(t);
  const secret = 'hunter2hunter2';
  const attempt = async (differences: Differences) => {
    const store = await openS3(server.endpoint, differences);
    t.teardown(() => store.close());
    const error: unknown = await store.test(signal).catch((reason: unknown) => reason);
    t.notMatch(`${(error as Error).message} ${(error as { resolution: string }).resolution}`, secret);
    return error;
  };
  t.match(await attempt({ secretAccessKey: secret }), { code: 'store_refused', message: /access key/ });
  t.match(await attempt({ accessKeyId: 'nobody' }), { code: 'store_refused', message: /access key/ });
  t.match(await attempt({ bucket: 'nothing' }), { code: 'store_refused', message: /no bucket of this name/ });
  t.match(await attempt({ endpoint: 'http://127.0.0.1:1' }), { code: 'store_unavailable', message: /ECONNREFUSED/ });
});

t.test('a server that is not S3 and one that never answers have different errors', async (t) => {
  const page = createServer((_request, response) => response.end('<html>Welcome'));
  const silent = createServer(() => undefined);
  for (const server of [page, silent]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
  }
  const at = (server: typeof page) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = await openS3(at(page));
  await t.rejects(store.test(signal), { code: /store_(refused|unavailable)/, message: /^The store "bucket" / });
  const slow = await openS3(at(silent), {}, 500);
  await t.rejects(slow.stat('a', signal), { code: 'store_unavailable', message: /has made no progress/ });
});
