import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { fingerprintOf } from '../../../../../../shared/node/ssh/host-key.ts';
import { createStore } from '../../../../../../workers/jobs/backups/stores/create-store.ts';
import { createHostKey, type SshServer, startSshServer } from '../../../../../support/machine/ssh-server.ts';
import { requireProgram, requireRoot } from '../../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../../support/machine/temporary-folder.ts';
import { sampleObject } from '../sample-object.ts';
import { checkStore, transfer } from '../store-contract.ts';
import { filesBelow, flipByte, smallDisk } from '../store-folder.ts';

const MiB = 1024 * 1024;
const { signal } = new AbortController();

/** sshd only accepts users of this system: here, root. */
function canRun(t: Test): boolean {
  return requireProgram(t, 'sshd', 'openssh-server') && requireRoot(t);
}

interface Differences {
  hostKey?: string;
  privateKey?: string;
  password?: string;
  port?: number;
}

function openSftp(
  server: Pick<SshServer, 'port' | 'privateKey' | 'fingerprint'>,
  directory: string,
  { password, ...differences }: Differences = {},
) {
  const { port, privateKey, fingerprint } = server;
  return createStore(
    {
      name: 'nas',
      kind: 'sftp',
      host: '127.0.0.1',
      port,
      username: 'root',
      directory,
      hostKey: fingerprint,
      ...(password === undefined ? { privateKey } : { password }),
      ...differences,
    },
    { backups: '/nowhere', instances: '/nowhere' },
  );
}

t.test('a server that lets users run programs works as a store', async (t) => {
  if (!canRun(t)) return;
  const server = await startSshServer(t);
  const directory = path.join(temporaryFolder(t), "it's", 'made');
  const store = await openSftp(server, directory);
  await store.test(signal);
  await store.close();
  checkStore(t, {
    open: () => openSftp(server, directory),
    damage: (key) => flipByte(path.join(directory, key)),
    list: () => filesBelow(directory),
    resumes: true,
  });
});

t.test('a server with nothing but SFTP works as a store, by reading uploads back', async (t) => {
  if (!canRun(t)) return;
  const server = await startSshServer(t, ['ForceCommand internal-sftp']);
  const directory = temporaryFolder(t);
  const store = await openSftp(server, directory);
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 10 * MiB);
  await store.put(object, transfer());
  const verifying = transfer();
  t.equal(await store.verify(object, verifying), true);
  t.equal(verifying.bytes, object.sizeBytes);
  await flipByte(path.join(directory, object.key));
  t.equal(await store.verify(object, transfer()), false);
});

t.test('a server that dies during an upload is an error, and the next attempt resumes', async (t) => {
  if (!canRun(t)) return;
  const server = await startSshServer(t);
  const directory = temporaryFolder(t);
  const store = await openSftp(server, directory);
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 40 * MiB);

  const cut = transfer({ bytesPerSecond: 60 * MiB });
  const watched = {
    ...cut,
    onProgress(bytes: number) {
      cut.bytes += bytes;
      if (cut.bytes > 25 * MiB) void server.kill();
    },
  };
  await t.rejects(store.put(object, watched), { code: 'store_unavailable', message: /^The store "nas" / });
  await t.rejects(store.stat(object.key, signal), { code: 'store_unavailable', message: /ECONNREFUSED/ });
  t.same(await filesBelow(directory), [`${object.key}.partial`], 'no partial object under its key');

  await server.start();
  t.equal(await store.stat(object.key, signal), null, 'the same store reconnects');
  const rest = transfer();
  await store.put(object, rest);
  t.ok(rest.leap > 10 * MiB, `resumed at ${rest.leap}`);
  t.equal(await store.verify(object, transfer()), true);

  const to = path.join(temporaryFolder(t), 'fetched.zip');
  const half = transfer({ bytesPerSecond: 60 * MiB });
  const watchedGet = {
    ...half,
    onProgress(bytes: number) {
      half.bytes += bytes;
      if (half.bytes > 20 * MiB) void server.kill();
    },
  };
  await t.rejects(store.get(object.key, to, watchedGet), { code: 'store_unavailable' });
  await server.start();
  const onward = transfer();
  await store.get(object.key, to, onward);
  t.ok(onward.leap > 10 * MiB, `resumed at ${onward.leap}`);
});

t.test('a damaged partial upload is not resumed', async (t) => {
  if (!canRun(t)) return;
  const server = await startSshServer(t);
  const directory = temporaryFolder(t);
  const store = await openSftp(server, directory);
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 20 * MiB);
  const cancel = new AbortController();
  const half = transfer({ signal: cancel.signal, bytesPerSecond: 40 * MiB });
  await t.rejects(
    store.put(object, {
      ...half,
      onProgress(bytes) {
        half.bytes += bytes;
        if (half.bytes > 15 * MiB) cancel.abort(new Error('cancelled'));
      },
    }),
    { message: 'cancelled' },
  );
  // Far from the end, so that only the checksum of the whole file detects it.
  await flipByte(path.join(directory, `${object.key}.partial`));
  const again = transfer();
  await store.put(object, again);
  t.ok(again.leap > 5 * MiB, 'resuming was attempted');
  t.equal(again.bytes, object.sizeBytes, 'the final count is right');
  t.equal(await store.verify(object, transfer()), true);
});

t.test('the host key must be the pinned one', async (t) => {
  if (!canRun(t)) return;
  const server = await startSshServer(t);
  const directory = temporaryFolder(t);
  const attempt = async (hostKey: string) => {
    const store = await openSftp(server, directory, { hostKey });
    t.teardown(() => store.close());
    await store.test(signal);
  };
  await t.resolves(attempt(server.fingerprint));
  await t.resolves(attempt(`${server.fingerprint}=`));
  await t.resolves(attempt(server.hostKey));
  await t.resolves(attempt(`[127.0.0.1]:${server.port} ${server.hostKey}`));
  await t.resolves(attempt(server.otherHostKey), 'the server is asked for the pinned type of key');

  const wrong = `SHA256:${'A'.repeat(43)}`;
  const error: unknown = await attempt(wrong).catch((reason: unknown) => reason);
  t.match(error, { code: 'store_refused', message: /not the one in the settings/ });
  t.ok((error as Error).message.includes(server.fingerprint), 'the error has the fingerprint');
  t.ok((error as { resolution: string }).resolution.includes(server.fingerprint));
  // A pattern that is a string matches what contains it.
  await t.rejects(attempt('unknown'), { code: 'store_refused', message: server.fingerprint });
  const { otherHostKey } = await startSshServer(t);
  await t.rejects(attempt(otherHostKey), { code: 'store_refused', message: /ecdsa/ });
});

t.test('a signature with SHA-1 is refused, even for the right key', async (t) => {
  if (!canRun(t)) return;
  const { file, pin, line } = await createHostKey(t, 'rsa');
  for (const [algorithm, isAccepted] of [
    ['ssh-rsa', false],
    ['rsa-sha2-256', true],
  ] as const) {
    const server = await startSshServer(t, [`HostKey ${file}`, `HostKeyAlgorithms ${algorithm}`]);
    for (const hostKey of [pin, line]) {
      const store = await openSftp(server, temporaryFolder(t), { hostKey });
      t.teardown(() => store.close());
      if (isAccepted) await t.resolves(store.test(signal), `${algorithm} ${hostKey}`);
      else await t.rejects(store.test(signal), { code: 'store_refused', message: /no SSH algorithm in common/ });
    }
  }
});

t.test('wrong credentials, missing rights and an unreachable server give different errors', async (t) => {
  if (!canRun(t)) return;
  const server = await startSshServer(t);
  const directory = temporaryFolder(t);
  const secret = 'hunter2hunter2';
  const attempt = async (differences: Differences, where = directory) => {
    const store = await openSftp(server, where, differences);
    t.teardown(() => store.close());
    const error: unknown = await store.test(signal).catch((reason: unknown) => reason);
    t.notMatch(`${(error as Error).message} ${(error as { resolution: string }).resolution}`, secret);
    return error;
  };
  t.match(await attempt({ password: secret }), { code: 'store_refused', message: /did not accept/ });
  t.match(await attempt({ privateKey: secret }), { code: 'store_refused', message: /cannot be read/ });
  const { privateKey } = await startSshServer(t);
  t.match(await attempt({ privateKey }), { code: 'store_refused', message: /did not accept/ });
  t.match(await attempt({ port: 1 }), { code: 'store_unavailable', message: /ECONNREFUSED/ });
  t.match(await attempt({}, '/proc/nothing'), { code: 'store_unavailable' });
});

t.test('a full disk on the server is reported', async (t) => {
  if (!canRun(t)) return;
  const disk = smallDisk(t, 10);
  if (!disk) return;
  const server = await startSshServer(t);
  const store = await openSftp(server, disk.directory);
  t.teardown(() => store.close());
  const folder = temporaryFolder(t);
  const large = await sampleObject(folder, 12 * MiB);
  await t.rejects(store.put(large, transfer()), { code: 'insufficient_storage', message: /10 MB free.*13 MB more/ });
  const fits = await sampleObject(folder, 8 * MiB);
  const filling = transfer({ bytesPerSecond: 8 * MiB });
  await t.rejects(
    store.put(fits, {
      ...filling,
      onProgress() {
        if (filling.bytes === 0) writeFileSync(path.join(disk.directory, 'other'), Buffer.alloc(6 * MiB));
        filling.bytes = 1;
      },
    }),
    { code: 'insufficient_storage', message: /is full/ },
  );
});

t.test('the password is sent, also if the server asks interactively', async (t) => {
  const { default: ssh2 } = await import('ssh2');
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('ed25519');
  const parsed = ssh2.utils.parseKey(hostKey);
  if (parsed instanceof Error || Array.isArray(parsed)) throw new Error('There is one key in it.');
  for (const way of ['password', 'keyboard-interactive']) {
    const got: string[] = [];
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
      connection.on('error', () => undefined); // reset by the server
      connection.on('authentication', (context) => {
        if (context.method !== way) return context.reject([way as 'password']);
        if (context.method === 'password') got.push(context.password);
        if (context.method !== 'keyboard-interactive') return context.accept();
        context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
          got.push(...answers);
          context.accept();
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const store = await openSftp(
      {
        port: (server.address() as AddressInfo).port,
        fingerprint: fingerprintOf(parsed.getPublicSSH()),
        privateKey: '',
      },
      '/nowhere',
      { password: 'sftp-s3cret' },
    );
    t.teardown(() => store.close());
    // This server only implements the sign-in.
    await t.rejects(store.stat('a', signal), { code: 'store_refused', message: /offers no SFTP/ });
    t.same(got, ['sftp-s3cret'], way);
  }
});
