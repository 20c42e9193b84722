import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { createStore } from '../../../../../workers/jobs/backups/stores/create-store.ts';
import { requireProgram } from '../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { startDigestServer } from './digest-server.ts';
import { sampleObject } from './sample-object.ts';
import { checkStore, transfer } from './store-contract.ts';
import { filesBelow, flipByte, smallDisk } from './store-folder.ts';
import { startWebdavServer } from './webdav-server.ts';

const MiB = 1024 * 1024;
const { signal } = new AbortController();
const NOWHERE = { backups: '/nowhere', instances: '/nowhere' };

interface Access {
  url: string;
  username?: string;
  password?: string;
}

function openWebdav({ url, username, password }: Access, stallMs?: number) {
  return createStore(
    {
      name: 'cloud',
      kind: 'webdav',
      url,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      insecure: false,
    },
    { ...NOWHERE, ...(stallMs !== undefined && { stallMs }) },
  );
}

t.test('rclone’s WebDAV server works as a store', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const directory = temporaryFolder(t);
  const server = await startWebdavServer(t, directory);
  const access = { ...server, url: `${server.url}/gamekeeper` };
  checkStore(t, {
    open: () => openWebdav(access),
    damage: (key) => flipByte(path.join(directory, 'gamekeeper', key)),
    list: () => filesBelow(path.join(directory, 'gamekeeper')),
    resumes: false,
  });
});

t.test('a server that dies during a transfer is an error, and the next attempt succeeds', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const server = await startWebdavServer(t, temporaryFolder(t));
  const store = await openWebdav(server);
  const object = await sampleObject(temporaryFolder(t), 30 * MiB);
  let dead: Promise<unknown> | undefined;
  const killAt = (bytes: number) => {
    const how = transfer({ bytesPerSecond: 60 * MiB });
    return {
      ...how,
      onProgress(more: number) {
        how.bytes += more;
        if (how.bytes > bytes) dead ??= server.kill();
      },
    };
  };
  await t.rejects(store.put(object, killAt(15 * MiB)), { code: 'store_unavailable', message: /^The store "cloud" / });
  await dead;
  await t.rejects(store.stat(object.key, signal), { code: 'store_unavailable', message: /ECONNREFUSED/ });
  await server.start();
  t.equal(await store.stat(object.key, signal), null, 'no partial object under its key');
  await store.put(object, transfer());
  t.equal(await store.verify(object, transfer()), true);

  dead = undefined;
  const to = path.join(temporaryFolder(t), 'fetched.zip');
  await t.rejects(store.get(object.key, to, killAt(15 * MiB)), { code: 'store_unavailable' });
  await dead;
  await server.start();
  const rest = transfer();
  await store.get(object.key, to, rest);
  t.ok(rest.leap > 5 * MiB, `resumed at ${rest.leap}`);
  t.ok(object.content.equals(await readFile(to)));
});

t.test('a server that makes no progress is given up', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const server = await startWebdavServer(t, temporaryFolder(t));
  const store = await openWebdav(server, 1000);
  const object = await sampleObject(temporaryFolder(t), 20 * MiB);
  const how = transfer({ bytesPerSecond: 60 * MiB });
  const freezing = {
    ...how,
    onProgress(bytes: number) {
      how.bytes += bytes;
      if (how.bytes > 10 * MiB) server.freeze();
    },
  };
  await t.rejects(store.put(object, freezing), { code: 'store_unavailable', message: /has made no progress for 1 s/ });
  await t.rejects(store.stat(object.key, signal), { code: 'store_unavailable', message: /has made no progress/ });
});

t.test('wrong credentials, a wrong address and a full disk give different errors', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const disk = smallDisk(t, 10);
  if (!disk) return;
  const server = await startWebdavServer(t, disk.directory);
  const secret = 'hunter2hunter2';
  const attempt = async (access: Access) => {
    const error: unknown = await (await openWebdav(access)).test(signal).catch((reason: unknown) => reason);
    t.notMatch(`${(error as Error).message} ${(error as { resolution: string }).resolution}`, secret);
    return error;
  };
  t.match(await attempt({ ...server, password: secret }), { code: 'store_refused', message: /user name and password/ });
  t.match(await attempt({ url: server.url }), { code: 'store_refused', message: /user name and password/ });
  t.match(await attempt({ ...server, url: `${server.url}/a/b/c` }), {
    code: 'store_refused',
    message: /no WebDAV folder/,
  });
  t.match(await attempt({ url: 'http://127.0.0.1:1' }), { code: 'store_unavailable', message: /ECONNREFUSED/ });

  const store = await openWebdav(server);
  const large = await sampleObject(temporaryFolder(t), 15 * MiB);
  await t.rejects(store.put(large, transfer()), { message: /^The store "cloud" / });
  t.equal(await store.stat(large.key, signal), null);
});

t.test('Digest authentication works, and a wrong password is an error before anything is written', async (t) => {
  const access = { username: 'alex', password: 'digest-s3cret' };
  const server = await startDigestServer(t, access);
  const object = await sampleObject(temporaryFolder(t), 10 * MiB);
  const store = await openWebdav({ url: server.url, ...access });
  await store.put(object, transfer());
  t.equal(await store.verify(object, transfer()), true);
  t.same([...server.files.keys()], [`/${object.key}`]);

  const wrong = await openWebdav({ url: server.url, username: 'alex', password: 'wrong' });
  const refusal = { code: 'store_refused', message: /user name and password/ };
  await t.rejects(wrong.stat(object.key, signal), refusal);
  await t.rejects(wrong.remove(object.key, signal), refusal);
  await t.rejects(wrong.put(object, transfer()), refusal);
  await t.rejects(wrong.get(object.key, path.join(temporaryFolder(t), 'fetched.zip'), transfer()), refusal);
  t.equal(server.files.size, 1);
  await store.remove(object.key, signal);
  t.equal(server.files.size, 0);
});

/** A server that only serves one file, in an unusual way. */
async function oddServer(t: { teardown(end: () => void): void }, content: Buffer): Promise<string> {
  const server: Server = createServer((request, response) => {
    if (request.method !== 'PROPFIND') return void response.end(content); // whatever range was requested
    const size = `<d:getcontentlength>${content.length}</d:getcontentlength>`;
    response.writeHead(207, { 'content-type': 'application/xml' });
    response.end(
      `<d:multistatus xmlns:d="DAV:"><d:response><d:href>${request.url}</d:href><d:propstat><d:prop>${size}<d:resourcetype/></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test('a server without ranges works', async (t) => {
  const content = randomBytes(2 * MiB);
  const store = await openWebdav({ url: await oddServer(t, content) });
  const to = path.join(temporaryFolder(t), 'fetched.zip');
  await writeFile(`${to}.partial`, content.subarray(0, MiB + 7));
  const how = transfer();
  await store.get('survival/a.zip', to, how);
  t.ok(content.equals(await readFile(to)));
  t.equal(how.bytes, content.length);
});

t.test('redirects are followed within the server only', async (t) => {
  const content = Buffer.from('content');
  const target = await oddServer(t, content);
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (!url.startsWith('/moved/')) return void response.writeHead(308, { location: `/moved${url}` }).end();
    response.writeHead(307, { location: target }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const store = await openWebdav({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await t.rejects(store.stat('a.zip', signal), { code: 'store_refused', message: /redirects to another address/ });
  t.same(asked, ['/a.zip', '/moved/a.zip']);
});

t.test('a server that is not WebDAV gets its own error', async (t) => {
  const server = createServer((_request, response) => response.end('<html>Welcome</html>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const store = await openWebdav({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await t.rejects(store.test(signal), { code: 'store_refused', message: /not like WebDAV/ });
});
