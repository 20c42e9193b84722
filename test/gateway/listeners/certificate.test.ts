/** Certificates are renewed under a running gateway in every usual way. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import path from 'node:path';
import { connect, type SecureContextOptions } from 'node:tls';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import type { TlsMaterial } from '../../../gateway/http/server.ts';
import { watchCertificate } from '../../../gateway/listeners/certificate.ts';
import { createListeners } from '../../../gateway/listeners/listeners.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { settings as settingsSchema } from '../../../shared/schema/settings.ts';
import { selfSigned } from '../../support/http/self-signed.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { build } from '../../support/processes/gateway-app.ts';

type Pair = ReturnType<typeof selfSigned>;

const FILES = { cert: 'cert.pem', key: 'key.pem' };
const fingerprint = (cert: string | Buffer) => new X509Certificate(cert).fingerprint256;

async function write(folder: string, { cert, key }: Pair): Promise<void> {
  await writeFile(path.join(folder, 'cert.pem'), cert);
  await writeFile(path.join(folder, 'key.pem'), key);
}

t.test('a renewed certificate is used for new connections, and open ones continue', async (t) => {
  const world = await build(t);
  const [first, second] = [selfSigned(), selfSigned()];
  await write(world.home, first);
  const listeners = createListeners(world.gateway, homeAt(world.home));
  t.teardown(() => listeners.close());
  const { remoteControl } = settingsSchema.parse({ remoteControl: { tls: FILES } });
  const { panel, remote } = await listeners.listen(remoteControl, { panel: 0, remote: 0 });
  const ports = [panel, remote].map((url) => Number(new URL(url ?? '').port));
  t.match(panel, /^https:\/\/127\.0\.0\.1:/);
  t.equal(await servedAt(ports[0]!), fingerprint(first.cert));

  const socket = new WebSocket(`${panel?.replace('https', 'wss')}/ws/instances/demo/console`, {
    ca: first.cert,
    headers: await world.bearer(),
  });
  let seen = '';
  socket.on('message', (data) => {
    seen += String(data);
  });
  await once(socket, 'open');

  // As certbot and others do: written beside the file, then renamed over it.
  const beside = path.join(world.home, 'new');
  await mkdir(beside);
  await write(beside, second);
  for (const file of Object.values(FILES)) await rename(path.join(beside, file), path.join(world.home, file));
  await until('the new certificate is served', async () => (await servedAt(ports[0]!)) === fingerprint(second.cert));
  t.equal(await servedAt(ports[1]!), fingerprint(second.cert), 'the other listener serves it too');

  world.supervisor.print('after the renewal');
  await until('the open console continues', () => seen.includes('after the renewal'));
  t.equal(socket.readyState, WebSocket.OPEN);

  const answer = await securely(`${panel}/api/logout`, second.cert);
  t.match(answer['set-cookie']?.[0], /; Secure/);
  t.notOk(answer['strict-transport-security'], 'HSTS would apply to every port of this host');
  await t.rejects(handshake(ports[0]!, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }));
  t.equal(await handshake(ports[0]!, { maxVersion: 'TLSv1.2' }), 'TLSv1.2');
  t.equal(await handshake(ports[0]!, {}), 'TLSv1.3');
});

t.test('another certificate in the settings does not reopen the listener', async (t) => {
  const world = await build(t);
  const [first, second] = [selfSigned(), selfSigned()];
  await write(world.home, first);
  const elsewhere = temporaryFolder(t);
  await write(elsewhere, second);
  const listeners = createListeners(world.gateway, homeAt(world.home));
  t.teardown(() => listeners.close());
  const listen = (tls: object | undefined, ports = { panel: 0, remote: 0 }) =>
    listeners.listen(settingsSchema.parse({ remoteControl: tls ? { tls } : {} }).remoteControl, ports);
  const before = await listen(FILES);
  const [panel, remote] = [before.panel, before.remote].map((url) => Number(new URL(url ?? '').port));
  const ports = { panel: panel!, remote: remote! };
  const moved = { cert: path.join(elsewhere, 'cert.pem'), key: path.join(elsewhere, 'key.pem') };
  t.same(await listen(moved, ports), before);
  t.equal(await servedAt(ports.panel), fingerprint(second.cert));
  await t.rejects(listen({ ...moved, key: FILES.key }, ports), { code: 'invalid_request', message: /not a PEM pair/ });
  t.equal(await servedAt(ports.panel), fingerprint(second.cert));
  const plain = await listen(undefined, ports);
  t.equal(plain.panel, before.panel?.replace('https', 'http'), 'the same port without TLS');
  t.same(await listen(FILES, ports), before);
  t.equal(await servedAt(ports.panel), fingerprint(first.cert));
});

async function watching(t: Test, folder: string) {
  const renewed: string[] = [];
  const problems: Error[] = [];
  const stop = watchCertificate(FILES, {
    root: folder,
    pollEveryMs: 20,
    onRenewed: ({ cert }: TlsMaterial) => renewed.push(fingerprint(cert as Buffer)),
    onProblem: (error) => problems.push(error as Error),
  });
  t.teardown(stop);
  const next = (pair: Pair) => until('it is renewed', () => renewed.at(-1) === fingerprint(pair.cert));
  return { renewed, problems, next, stop };
}

t.test('a certificate is renewed through symbolic links, rewritten files and files that were missing', async (t) => {
  const folder = temporaryFolder(t);
  const pairs = [selfSigned(), selfSigned(), selfSigned(), selfSigned()] as const;
  const archive = path.join(folder, 'archive');
  await mkdir(archive);
  const link = async (name: string, pair: Pair) => {
    for (const [kind, file] of Object.entries(FILES)) {
      const target = path.join(archive, `${kind}-${name}`);
      await writeFile(target, pair[kind as keyof Pair]);
      await rm(path.join(folder, file), { force: true });
      await symlink(target, path.join(folder, file));
    }
  };
  await link('1', pairs[0]);
  const { next, renewed } = await watching(t, folder);
  await link('2', pairs[1]);
  await next(pairs[1]);
  await write(folder, pairs[2]);
  await next(pairs[2]);
  for (const file of Object.values(FILES)) await rm(path.join(folder, file));
  await write(folder, pairs[3]);
  await next(pairs[3]);
  t.ok(renewed.length <= 4, 'a new certificate and key are one change');
});

t.test('an unusable pair is logged until it is replaced', async (t) => {
  const folder = temporaryFolder(t);
  const [first, second] = [selfSigned(), selfSigned()];
  await write(folder, first);
  const { next, problems, renewed, stop } = await watching(t, folder);
  await writeFile(path.join(folder, 'cert.pem'), second.cert);
  await until('the problem is reported', () => problems.length > 0);
  t.match(problems[0], { code: 'invalid_request', message: /not a PEM pair/ });
  t.same(renewed, []);
  await writeFile(path.join(folder, 'key.pem'), second.key);
  await next(second);
  await writeFile(path.join(folder, 'cert.pem'), '');
  await until('the problem is reported again', () => problems.length > 1);
  stop();
  const another = await watching(t, folder);
  await write(folder, first);
  await another.next(first);
  t.same(renewed, [fingerprint(second.cert)], 'no event after unsubscribing');
});

async function servedAt(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

async function handshake(port: number, options: SecureContextOptions): Promise<string | null> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  const protocol = socket.getProtocol();
  socket.destroy();
  return protocol;
}

async function securely(url: string, ca: string) {
  const [answer] = await once(request(url, { ca, method: 'POST', agent: false }).end(), 'response');
  answer.resume();
  return answer.headers as Record<string, string[] | undefined>;
}
