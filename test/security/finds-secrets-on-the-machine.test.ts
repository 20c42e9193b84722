/**
 * Somebody else on the same machine, a plug-in, or a log that is shared finds no secrets: not in lists of processes, in environments, in
 * files and sockets that others may open, in logs (Panel 1.11.8: passwords were written to the log, by way of DELETE requests).
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { processesOf } from '../support/leftovers.ts';
import { rawRequest } from '../support/raw-request.ts';
import { requestJson } from '../support/request-json.ts';
import { session, signedInAdmin, signedInUser } from '../support/signed-in-user.ts';

const CANARY = 'canary-of-the-environment';
const RCON = 'rcon-password-of-the-owner';
const TRIED = 'password-that-was-tried';

const gamekeeper = await startGamekeeper(t, {
  settings: { log: { level: 'trace' } },
  env: { GAMEKEEPER_CANARY: CANARY, AWS_SECRET_ACCESS_KEY: CANARY, NODE_OPTIONS: '', MY_TOKEN: CANARY },
});
const { home } = gamekeeper;
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', rcon: { port: 25598, password: RCON } });
await gamekeeper.api('POST', '/instances', {
  name: 'Env',
  software: 'custom',
  launch: { command: ['/bin/sh', '-c', 'env; sleep 600'] },
  env: { OWN: 'set by the owner' },
  readyPattern: 'OWN',
});
await gamekeeper.api('POST', '/instances/demo/start');
await gamekeeper.api('POST', '/instances/env/start');
await gamekeeper.waitForStatus('demo', 'running');
const token = await gamekeeper.token();
const admin = await signedInAdmin(gamekeeper);
const cookie = (admin.headers.cookie ?? '').split('=')[1] ?? '';
const user = await signedInUser(gamekeeper, { username: 'ann', role: 'operator' });
const begun = await user.api<{ secret: string }>('POST', '/api/totp', { password: user.password });
const secrets = {
  password: gamekeeper.password,
  ann: user.password,
  TRIED,
  RCON,
  CANARY,
  token,
  cookie,
  totp: begun.body.secret,
};

t.test('a game gets nothing of our environment but what is listed', async (t) => {
  await gamekeeper.waitForStatus('env', 'running');
  const { body } = await gamekeeper.api('GET', '/instances/env/logs?lines=1000');
  t.match(JSON.stringify(body), /OWN=set by the owner/);
  t.notMatch(JSON.stringify(body), /GAMEKEEPER_|NODE_|canary|AWS_|MY_TOKEN/);
  for (const { pid, command } of processesOf(home)) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    if (!/daemon\/main/.test(command)) t.notMatch(environment, gamekeeper.password, `environment of ${command}`);
    if (/workers\/demo|bin\/sh|sleep|^env/.test(command)) t.notMatch(environment, /GAMEKEEPER_|canary/, command);
  }
});

t.test('command lines say what runs, and no secrets', async (t) => {
  const processes = processesOf(home);
  t.ok(processes.length >= 5, `${processes.length} processes`);
  for (const { command } of processes)
    for (const [name, secret] of Object.entries(secrets)) t.notOk(command.includes(secret), `${name}: ${command}`);
});

t.test('nobody else may open anything of ours', async (t) => {
  const open = everythingBelow(home).filter(({ mode }) => (mode & 0o077) !== 0);
  // What a game writes in its own folder is the game's, and the folder around all of them is closed.
  // The settings are as the owner wrote them; this test is the owner.
  const ours = open.filter(({ name }) => !/^(instances\/\w+\/|cache\/compile\/|settings\.json$)/.test(name));
  t.same(
    ours.map(({ name, mode }) => `${name} ${mode.toString(8)}`),
    [],
  );
  t.equal(statSync(path.join(home, 'instances')).mode & 0o077, 0);
  const sockets = everythingBelow(home).filter(({ isSocket }) => isSocket);
  t.ok(sockets.length >= 4, `${sockets.map(({ name }) => name)}`);
  for (const { name, mode } of sockets) t.equal(mode, 0o600, name);
});

t.test('logs hold no secrets, whatever is sent in whatever way', async (t) => {
  const url = (where: string) => new URL(where, gamekeeper.addresses().panel);
  const body = { username: 'admin', password: TRIED };
  for (const method of ['POST', 'DELETE', 'PUT']) {
    await requestJson(method, url('/api/login'), { body });
    await requestJson(method, url('/api/users/ann'), { body, headers: user.headers });
    await requestJson(method, url('/api/tokens/any'), { body, headers: { authorization: `Bearer ${TRIED}` } });
  }
  await requestJson('GET', url(`/instances?password=${TRIED}&ticket=${TRIED}`), {});
  await rawRequest(
    t,
    Number(url('/').port),
    `POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{"password": "${TRIED}", nonsense `,
    { halfClose: true },
  );
  const change = { currentPassword: user.password, newPassword: TRIED };
  t.ok((await user.api('PUT', '/api/password', change)).status < 300);
  await session(gamekeeper, 'ann', TRIED).catch(() => undefined);
  await gamekeeper.api('POST', '/instances/demo/commands', { command: `say ${RCON}` });
  await gamekeeper.api('PATCH', '/instances/demo', { rcon: { port: 25598, password: RCON } });

  const texts = everythingBelow(path.join(home, 'logs'))
    .filter(({ isFile }) => isFile)
    .map(({ name }) => ({ name, text: readFileSync(path.join(home, 'logs', name), 'latin1') }));
  texts.push({ name: 'what the daemon printed', text: gamekeeper.output() });
  texts.push({ name: 'the audit', text: JSON.stringify((await admin.api('GET', '/api/audit?limit=1000')).body) });
  t.ok(texts.length > 3, `${texts.map(({ name }) => name)}`);
  for (const { name, text } of texts)
    for (const [which, secret] of Object.entries(secrets)) t.notOk(text.includes(secret), `${which} in ${name}`);
});

t.test('what goes wrong is told without paths and stacks', async (t) => {
  const answers = [
    await gamekeeper.api('GET', '/instances/nowhere'),
    await gamekeeper.api('GET', '/nowhere'),
    await gamekeeper.api('GET', '/instances/demo/logs?lines=x'),
    await gamekeeper.api('POST', '/instances/demo/commands', { command: 7 }),
    await gamekeeper.api('POST', '/instances', { name: 7 }),
    await gamekeeper.api('GET', '/api/audit', undefined, {}),
  ];
  for (const { body } of answers)
    t.notMatch(JSON.stringify(body), /node_modules|\.ts\b|\.js:|at [A-Z]\w+ \(|\/tmp\/|\/home\/|SQLITE|zod/i);
});

interface Found {
  name: string;
  mode: number;
  isFile: boolean;
  isSocket: boolean;
}

function everythingBelow(root: string): Found[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const stats = statSync(path.join(root, name), { throwIfNoEntry: false });
    if (!stats) return [];
    return [{ name, mode: stats.mode & 0o777, isFile: stats.isFile(), isSocket: stats.isSocket() }];
  });
}
