/** The gateway as a process: start, messages to its parent, end. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { daemonRouter } from '../../shared/contract/daemon.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import { settings as settingsSchema } from '../../shared/schema/settings.ts';
import { selfSigned } from '../support/http/self-signed.ts';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { instanceConfig, standInDaemon } from '../support/stand-ins/stand-in-daemon.ts';

const ENTRY = path.join(import.meta.dirname, '..', '..', 'gateway', 'main.ts');

interface Message {
  type: 'ready' | 'failed' | 'alive';
  ready?: { panel: string | null; remote: string | null };
  code?: string;
  detail?: string;
  resolution?: string;
}

/** A daemon to start gateways against. */
async function daemonFor(t: Test, settings: object = {}, ports = { panel: 0, remote: 0 }) {
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.run);
  const service = standInDaemon({
    settings: settingsSchema.parse({ log: { level: 'warn' }, ...settings }),
    home: home.root,
    supervisorSocket: async () => '',
    jobsSocket: async () => '',
    filesSocket: async () => '',
  });
  service.ports = ports;
  service.put(instanceConfig());
  const onError = (error: unknown) => t.fail(String(error));
  const server = await serveIpc({
    socketPath: home.daemonSocket,
    name: 'daemon',
    version: '0',
    router: daemonRouter,
    service,
    onError,
  });
  t.teardown(() => server.close());
  return { home, service };
}

/** Starts the gateway as the daemon does. */
function startGateway(t: Test, home: string, ...more: string[]): ChildProcess {
  const child = fork(ENTRY, ['--home', home, ...more], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

async function firstMessage(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, 'message')) as [Message];
  return message;
}

async function statusAt(url: string): Promise<number> {
  return (await fetch(url)).status;
}

t.test('the gateway reports its addresses, serves there and on the private socket, and ends gracefully', async (t) => {
  const { home } = await daemonFor(t);
  const child = startGateway(t, home.root);
  const { type, ready } = await firstMessage(child);
  t.equal(type, 'ready');
  const { panel, remote } = ready ?? {};
  t.match(panel, /^http:\/\/127\.0\.0\.1:\d+$/);
  t.equal(await statusAt(`${panel}/health`), 200);
  t.equal(await statusAt(`${remote}/api/v1/health`), 200);
  t.equal(await statusAt(`${remote}/health`), 404);
  const refused = await fetch(`${panel}/instances`);
  t.equal(((await refused.json()) as { type: string }).type, `${panel}/docs/errors#unauthenticated`);

  t.equal((await stat(home.gatewaySocket)).mode & 0o777, 0o600);
  const local = request({ socketPath: home.gatewaySocket, path: '/instances' }).end();
  const [answer] = await once(local, 'response');
  t.equal(answer.statusCode, 200, 'the command line is the local administrator');
  answer.resume();

  child.kill('SIGINT');
  t.equal(await statusAt(`${panel}/health`), 200, 'the gateway ignores Ctrl-C of the terminal');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  t.same(await ended, [0, null]);
});

t.test('the gateway ends with its parent and frees its ports', async (t) => {
  const { home, service } = await daemonFor(t);
  const first = startGateway(t, home.root);
  const { ready } = await firstMessage(first);
  const ended = once(first, 'exit');
  const lost = performance.now();
  first.disconnect();
  await ended;
  t.ok(performance.now() - lost < 1_000, 'ends within a second');
  service.ports = { panel: portOf(ready?.panel), remote: portOf(ready?.remote) };
  const next = await firstMessage(startGateway(t, home.root));
  t.same(next, { type: 'ready', ready });
});

t.test('a replacement gateway serves the command line at once and listens as soon as its port is free', async (t) => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const { home } = await daemonFor(t, {}, { panel: port, remote: port });
  const { type, ready } = await firstMessage(startGateway(t, home.root, '--again'));
  t.equal(type, 'ready');
  t.same(
    ready,
    { panel: `http://127.0.0.1:${port}`, remote: `http://127.0.0.1:${port}` },
    'reports the addresses it will listen on',
  );
  const local = request({ socketPath: home.gatewaySocket, path: '/health' }).end();
  const [answer] = await once(local, 'response');
  t.equal(answer.statusCode, 200);
  answer.resume();
  blocker.close();
  await until('it listens', () =>
    statusAt(`${ready?.panel}/health`).then(
      (status) => status === 200,
      () => false,
    ),
  );
});

t.test('equal ports open one listener', async (t) => {
  const port = await freePort();
  const { home } = await daemonFor(t, {}, { panel: port, remote: port });
  const { ready } = await firstMessage(startGateway(t, home.root));
  t.same(ready, { panel: `http://127.0.0.1:${port}`, remote: `http://127.0.0.1:${port}` });
  for (const at of ['/health', '/api/v1/health']) t.equal(await statusAt(`${ready?.panel}${at}`), 200, at);
});

t.test('a port that is taken is reported with what to do, and nothing stays open', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const { home } = await daemonFor(t, {}, { panel: 0, remote: port });
  const child = startGateway(t, home.root);
  const [message, [code]] = await Promise.all([firstMessage(child), once(child, 'exit')]);
  t.match(message, {
    type: 'failed',
    code: 'port_in_use',
    detail: new RegExp(`${port} on 127\\.0\\.0\\.1`),
    resolution: /GAMEKEEPER_REMOTE_PORT/,
  });
  t.equal(code, 1);
});

t.test('an address beyond this machine is refused without TLS', async (t) => {
  const { home } = await daemonFor(t, { remoteControl: { host: '0.0.0.0' } });
  const child = startGateway(t, home.root);
  const [message] = await Promise.all([firstMessage(child), once(child, 'exit')]);
  t.match(message, { type: 'failed', detail: /without TLS/, resolution: /"insecure": true/ });
});

t.test('with a certificate the gateway serves TLS, also for other machines', async (t) => {
  const { home, service } = await daemonFor(t);
  const { cert, key } = selfSigned();
  writeFileSync(path.join(home.root, 'cert.pem'), cert);
  writeFileSync(path.join(home.root, 'key.pem'), key);
  const remoteControl = { host: '0.0.0.0', tls: { cert: 'cert.pem', key: 'key.pem' } };
  service.settings = () => settingsSchema.parse({ remoteControl });
  const { ready } = await firstMessage(startGateway(t, home.root));
  t.match(ready?.panel, /^https:\/\/127\.0\.0\.1:\d+$/);
  const answer = await securely(`${ready?.panel}/health`, cert);
  t.equal(answer.statusCode, 200);
  const login = await securely(`${ready?.panel}/api/logout`, cert, 'POST');
  t.match(login.headers['set-cookie']?.[0], /; Secure/);
});

t.test('an unusable certificate is reported', async (t) => {
  const { home } = await daemonFor(t, { remoteControl: { tls: { cert: 'cert.pem', key: 'key.pem' } } });
  const fails = async () => (await Promise.all([firstMessage(startGateway(t, home.root))]))[0];
  t.match(await fails(), { type: 'failed', detail: /remoteControl\.tls\.cert: cert\.pem cannot be read/ });
  writeFileSync(path.join(home.root, 'cert.pem'), 'nonsense');
  writeFileSync(path.join(home.root, 'key.pem'), 'nonsense');
  t.match(await fails(), { type: 'failed', detail: /not a PEM pair/ });
});

t.test('with Remote Control off only the private socket is served', async (t) => {
  const { home } = await daemonFor(t, { remoteControl: { enabled: false } }, { panel: await freePort(), remote: 0 });
  const { ready } = await firstMessage(startGateway(t, home.root));
  t.same(ready, { panel: null, remote: null });
  const [answer] = await once(request({ socketPath: home.gatewaySocket, path: '/health' }).end(), 'response');
  t.equal(answer.statusCode, 200);
  answer.resume();
});

t.test('the gateway applies offered settings and reports its addresses or the failure', async (t) => {
  const { home, service } = await daemonFor(t);
  const { ready } = await firstMessage(startGateway(t, home.root));
  const settings = (remoteControl: object, more: object = {}) =>
    settingsSchema.parse({ log: { level: 'warn' }, remoteControl, ...more });
  const ports = { panel: portOf(ready?.panel), remote: portOf(ready?.remote) };
  t.same(await service.offer(settings({ enabled: false }), ports), { id: 1, listeners: { panel: null, remote: null } });
  await t.rejects(fetch(`${ready?.panel}/health`));
  t.match(await service.offer(settings({ host: '0.0.0.0' }), ports), {
    id: 2,
    failure: { code: 'invalid_request', detail: /0\.0\.0\.0/ },
  });
  t.same(await service.offer(settings({}), ports), { id: 3, listeners: ready });
  const limited = settings({}, { limits: { burst: 2, requestsPerSecond: 1 } });
  t.match(await service.offer(limited, ports), { listeners: ready }, 'a changed limit does not affect listeners');
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push(await statusAt(`${ready?.panel}/instances`));
  t.equal(statuses.at(-1), 429, String(statuses));
});

async function securely(url: string, ca: string, method = 'GET'): Promise<IncomingMessage> {
  const [answer] = (await once(secureRequest(url, { ca, method }).end(), 'response')) as [IncomingMessage];
  return answer.resume();
}

function portOf(url: string | null | undefined): number {
  return Number(new URL(url ?? '').port);
}
