/** Remote Control is switched on and off while everything runs: its ports open and close, games and the command line keep working. */
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { connect } from 'node:tls';
import t, { type Test } from 'tap';
import type { Settings } from '../../shared/schema/settings.ts';
import { selfSigned } from '../support/http/self-signed.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

t.test('a game and an attached console keep working while Remote Control is switched off and on', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { cli, home } = gamekeeper;
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const before = gamekeeper.addresses();
  const game = pidOfGame(home);
  const viewer = await gamekeeper.console('demo');
  const attached = attachConsole(t, home);
  await until('the console is attached', () => attached.output().includes('Done ('));

  t.match(await cli('remote', 'off'), { code: 0, stdout: /^Remote Control is off/ });
  t.match(gamekeeper.addresses(), { panel: null, remote: null, pid: gamekeeper.pid() });
  for (const url of Object.values(before)) if (String(url).startsWith('http')) await refuses(t, `${url}/health`);
  t.equal(await viewer.closed, 1001, 'a console over the network is closed with "going away"');
  t.match(JSON.parse((await cli('status', '--json')).stdout), { panel: null, remote: null, activeInstances: 1 });
  t.match((await cli('status')).stdout, /off \(turn it on with: gamekeeper remote on\)/);
  t.match(await cli('exec', 'demo', 'list'), { code: 0, stdout: /There are 0 of a max/ });
  attached.type('say still here');
  await until('the attached console works', () => /still here/.test(attached.output()));

  t.match(await cli('remote', 'on'), { code: 0, stdout: new RegExp(`^Panel +${before.panel}$`, 'm') });
  t.same(gamekeeper.addresses(), before, 'the same ports are used again');
  t.equal((await fetch(`${before.panel}/health`)).status, 200);
  t.equal((await fetch(`${before.remote}/api/v1/health`)).status, 200);
  t.equal(pidOfGame(home), game);
  attached.type('say and here');
  await until('the attached console still works', () => /and here/.test(attached.output()));
  t.equal((await gamekeeper.api('GET', '/instances/demo')).status, 200, 'tokens are still valid');

  process.kill(pidOf(home, /gateway\/main/), 'SIGKILL');
  await until('the next gateway serves the same port', () =>
    fetch(`${before.panel}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  t.same(gamekeeper.addresses(), before);
});

t.test('switching off over HTTP is answered first and outlasts restarts of gateway and daemon', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { cli, home } = gamekeeper;
  const before = gamekeeper.addresses();
  const off = await change(gamekeeper, { remoteControl: { enabled: false } });
  t.match(off, { status: 200, body: { remoteControl: { enabled: false } } });
  await refuses(t, `${before.panel}/health`);
  t.same(JSON.parse(await readFile(path.join(home, 'settings.json'), 'utf8')), { remoteControl: { enabled: false } });

  process.kill(pidOf(home, /gateway\/main/), 'SIGKILL');
  await until('the command line works again', async () => (await cli('list')).code === 0);
  await refuses(t, `${before.panel}/health`);
  t.match(gamekeeper.addresses(), { panel: null, remote: null });
  const taken = await listenSomewhere(t, Number(new URL(before.remote).port));
  t.match(await cli('remote', 'on'), { code: 1, stdout: '', stderr: /^Port in use: .*remoteControl\.port/ });
  await refuses(t, `${before.panel}/health`);
  taken.close();
  await once(taken, 'close');
  t.match(await cli('remote', 'on', '--json'), { code: 0, stdout: /^\{.*"enabled":true/ });
  t.same(gamekeeper.addresses(), before, 'the next gateway uses the ports that an earlier one chose');

  t.match(await cli('remote', 'off'), { code: 0 });
  await gamekeeper.endDaemon('SIGTERM');
  await gamekeeper.startDaemon();
  t.match(gamekeeper.output(), /Remote Control is off/);
  t.match(gamekeeper.addresses(), { panel: null, remote: null });
  t.match(await cli('remote', 'on'), { code: 0 });
  t.equal((await fetch(`${gamekeeper.addresses().panel}/health`)).status, 200);
});

t.test('invalid settings are refused with the reason and change nothing', async (t) => {
  const gamekeeper = await startGamekeeper(t, {
    env: { GAMEKEEPER_PORT: '', GAMEKEEPER_REMOTE_PORT: '' },
    settings: {
      remoteControl: { panelPort: 0, port: 0 },
    },
  });
  const { cli, home } = gamekeeper;
  const before = gamekeeper.addresses();
  const stored = await readFile(path.join(home, 'settings.json'), 'utf8');
  const taken = await listenSomewhere(t);
  const { port } = taken.address() as { port: number };
  await writeFile(path.join(home, 'cert.pem'), 'nonsense');
  const refused: [object, number, RegExp][] = [
    [{ port }, 409, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use .*\\(remoteControl\\.port\\)`)],
    [{ panelPort: await freePort(), port }, 409, /in use/],
    [{ host: '0.0.0.0' }, 400, /remoteControl\.host.*insecure/],
    [{ host: '::' }, 400, /remoteControl\.host/],
    [{ host: 'games.example' }, 400, /remoteControl\.host/],
    [{ host: '203.0.113.9', insecure: true }, 400, /not an address of this machine/],
    [{ tls: { cert: 'cert.pem', key: 'missing.pem' } }, 400, /remoteControl\.tls\.key: missing\.pem cannot be read/],
    [{ tls: { cert: 'cert.pem', key: 'cert.pem' } }, 400, /not a PEM pair/],
  ];
  for (const [remoteControl, status, detail] of refused) {
    const answer = await change(gamekeeper, { remoteControl });
    t.match(answer, { status, body: { detail } }, JSON.stringify(remoteControl));
    t.same(gamekeeper.addresses(), before);
    t.equal((await fetch(`${before.panel}/health`)).status, 200);
    t.equal((await fetch(`${before.remote}/api/v1/health`)).status, 200);
  }
  t.equal(await readFile(path.join(home, 'settings.json'), 'utf8'), stored);
  t.match(await cli('status', '--json'), { code: 0 });

  const next = await freePort();
  t.match(await change(gamekeeper, { remoteControl: { panelPort: next, port: next } }), { status: 200 });
  const one = `http://127.0.0.1:${next}`;
  t.match(gamekeeper.addresses(), { panel: one, remote: one });
  for (const route of ['/health', '/api/v1/health']) t.equal((await fetch(one + route)).status, 200, route);
  await refuses(t, `${before.panel}/health`);
});

t.test('TLS is switched on and its certificate renewed without a restart', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { home, cli } = gamekeeper;
  const before = gamekeeper.addresses();
  const ports = Object.values(before).flatMap((url) =>
    String(url).startsWith('http') ? [Number(new URL(url).port)] : [],
  );
  const [first, second] = [selfSigned(), selfSigned()];
  const install = async ({ cert, key }: typeof first) => {
    await writeFile(path.join(home, 'cert.pem'), cert);
    await writeFile(path.join(home, 'key.pem'), key);
  };
  await install(first);
  const tls = { cert: 'cert.pem', key: 'key.pem' };
  t.match(await change(gamekeeper, { remoteControl: { tls, host: '0.0.0.0' } }), { status: 200 }, 'on all addresses');
  t.match(gamekeeper.addresses(), {
    panel: before.panel.replace('http:', 'https:'),
    remote: before.remote.replace('http:', 'https:'),
  });
  for (const port of ports) t.equal(await servedAt(port), fingerprint(first.cert));
  t.match((await cli('status')).stdout, /Panel +https:/);
  await install(second);
  for (const port of ports)
    await until('the renewed certificate is served', async () => (await servedAt(port)) === fingerprint(second.cert));

  process.kill(pidOf(home, /gateway\/main/), 'SIGKILL');
  await until('the next gateway serves it', () =>
    servedAt(ports[0]!).then(
      (served) => served === fingerprint(second.cert),
      () => false,
    ),
  );
  await gamekeeper.endDaemon('SIGTERM');
  await writeFile(path.join(home, 'key.pem'), 'broken');
  await t.rejects(
    gamekeeper.startDaemon(),
    /status 1[\s\S]*remoteControl\.tls: certificate and key are not a PEM pair/,
  );
});

t.test('changes of redaction and log level take effect while a game runs', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { home, cli } = gamekeeper;
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const say = async (text: string) => {
    await cli('exec', 'demo', 'say', text);
    return until('the line is logged', async () => {
      const { stdout } = await cli('logs', 'demo', '-n', '1');
      return stdout.includes(text.split(' ', 1).join()) && stdout;
    });
  };
  t.match(await say('one: base at 10 20'), /base at 10 20/);
  const patterns = [String.raw`at -?\d+ -?\d+`];
  t.match(await change(gamekeeper, { redaction: { patterns } }), { status: 200 });
  t.match(await say('two: base at 10 20'), /base \[redacted\]/);
  await gamekeeper.endDaemon('SIGKILL');
  await writeFile(path.join(home, 'settings.json'), '{}');
  await gamekeeper.startDaemon();
  t.match(await say('three: base at 10 20'), /base at 10 20/, 'a change made while no daemon ran takes effect, too');

  const logged = () => readFile(path.join(home, 'logs/gateway.log'), 'utf8');
  t.match(await change(gamekeeper, { log: { level: 'debug' } }), { status: 200 });
  await gamekeeper.api('GET', '/instances/demo/players');
  await until('a GET request is logged', async () => (await logged()).includes('/instances/demo/players'));
});

/** Changes settings as an administrator in the panel does. */
async function change(gamekeeper: Gamekeeper, settings: object) {
  const cookie = await gamekeeper.login();
  const { origin } = new URL(gamekeeper.addresses().panel);
  return gamekeeper.api<Settings & { detail?: string }>('PUT', '/api/settings', settings, { cookie, origin });
}

async function refuses(t: Test, url: string): Promise<void> {
  const error = await fetch(url).then(
    ({ status }) => status,
    (reason: Error) => (reason.cause as NodeJS.ErrnoException).code,
  );
  t.equal(error, 'ECONNREFUSED', url);
}

/** Starts `gamekeeper console demo` with pipes. */
function attachConsole(t: Test, home: string) {
  const program = path.join(import.meta.dirname, '../../dist/daemon/cli/main.js');
  const child = spawn(process.execPath, [program, 'console', 'demo'], {
    env: { ...process.env, GAMEKEEPER_HOME: home },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  t.teardown(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return { output: () => output, type: (line: string) => child.stdin.write(`${line}\n`) };
}

const fingerprint = (cert: string) => new X509Certificate(cert).fingerprint256;

async function servedAt(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

async function listenSomewhere(t: Test, port = 0): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return server;
}

const pidOfGame = (home: string) => pidOf(home, /workers\/demo/);

function pidOf(home: string, command: RegExp): number {
  const [found, ...others] = processesOf(home).filter((candidate) => command.test(candidate.command));
  if (!found || others.length > 0)
    throw new Error(`${others.length === 0 ? 'No' : 'More than one'} process matches ${command}`);
  return found.pid;
}
